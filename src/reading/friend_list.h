#pragma once

#include "foundation/siphash.h"
#include "reading/friend_set.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace footfall::reading {

/// The friends of a question as other processes know them: by the numbers of the readers that they
/// are, and were. Those who have taken something back stand behind the others, as it depends on
/// times whether they appear. A plain value.
struct FriendList {
    std::vector<std::uint64_t> numbers = {};
    std::vector<ReaderId> ids = {};  ///< The same, as this process knows them.
    std::size_t untimed = 0;         ///< So many have taken nothing back.

    void clear() {
        numbers.clear();
        ids.clear();
        untimed = 0;
    }

    void add(ReaderId id, std::uint64_t number) {
        ids.push_back(id);
        numbers.push_back(number);
    }
};

/// Longer ones are not sent: whoever asks reads from the store.
inline constexpr std::size_t friend_list_max = 20'000;

/// By which a list is known where it was sent once: made of all its numbers and their order, so
/// that another list has another key, whatever changed, and no answer is that of an earlier one.
struct ListKey {
    std::uint64_t one = 0;
    std::uint64_t other = 0;

    friend bool operator==(const ListKey&, const ListKey&) = default;
};

/// `secret`: the deployment's. Some 20 us for 5,000.
ListKey key_of(SipKey secret, std::span<const std::uint64_t> numbers);

}  // namespace footfall::reading

template <>
struct std::hash<footfall::reading::ListKey> {
    std::size_t operator()(const footfall::reading::ListKey& key) const noexcept { return key.one; }
};
