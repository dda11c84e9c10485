#pragma once

#include "foundation/result.h"
#include "people/people.h"
#include "reading/friend_set.h"
#include "reading/pasts.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::reading {

/// A friend who may appear. The name is that of the list that was given.
struct ShownFriend {
    ReaderId id = 0;
    std::string_view name;
    std::shared_ptr<const people::Past> past = {};  ///< As it was when the id was looked up.
};

/// By id, each once.
using Shown = std::vector<ShownFriend>;

/// Of the friends those who share: who appears to friends alone only if they list the asker.
/// Absent: who asks has no name. Waits for two reads, if any.
Result<Shown> shown_friends(
    people::People& people,
    const std::vector<std::string>& friends,
    const std::optional<std::string>& asker
);

/// Puts the ids of all in an empty set, with those of the readers they were.
void ask_for(const Shown& shown, FriendSet& asked, Pasts& pasts);

/// The name of one of them, who must be there.
std::string_view name_in(const Shown& shown, ReaderId id);

}  // namespace footfall::reading
