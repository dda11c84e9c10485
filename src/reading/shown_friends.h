#pragma once

#include "foundation/result.h"
#include "people/people.h"
#include "reading/friend_list.h"
#include "reading/friend_set.h"
#include "reading/pasts.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::reading {

/// A friend who may appear. The name is that of the list that was given.
struct ShownFriend {
    ReaderId id = 0;
    std::uint64_t number = 0;  ///< people::Reader::number.
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

/// The friends whom a question is about, as all that answers it takes them.
struct AskedFriends {
    FriendSet ids = {};  ///< With those of the readers they were.
    Pasts pasts = {};
    FriendList list = {};  ///< The same, for other processes.
};

/// In place of whom was asked for before.
void ask_for(const Shown& shown, AskedFriends& asked);

/// The name of one of them, who must be there.
std::string_view name_in(const Shown& shown, ReaderId id);

}  // namespace footfall::reading
