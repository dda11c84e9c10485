#include "reading/friend_set.h"

#include "foundation/check.h"

#include <bit>

namespace footfall::reading {

void FriendSet::clear() {
    for (const Word& each : words_) {
        bits_[each.at] = 0;
    }
    words_.clear();
    size_ = 0;
}

void FriendSet::assign(std::span<const ReaderId> friends) {
    CHECK(words_.empty(), "friends are put in an empty set");
    if (!friends.empty() && friends.back() / 64 >= bits_.size()) {
        bits_.resize(friends.back() / 64 + 1);
    }
    for (const ReaderId each : friends) {
        const std::uint32_t at = each / 64;
        if (words_.empty() || words_.back().at != at) {
            CHECK(words_.empty() || words_.back().at < at, "friends are not in order", each);
            words_.push_back({.at = at});
        }
        words_.back().bits |= std::uint64_t{1} << each % 64;
    }
    for (const Word& each : words_) {
        bits_[each.at] = each.bits;
        size_ += static_cast<std::size_t>(std::popcount(each.bits));
    }
}

}  // namespace footfall::reading
