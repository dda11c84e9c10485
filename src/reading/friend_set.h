#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace footfall::reading {

/// A reader, by the dense number that this process gave them (people::Sharers).
using ReaderId = std::uint32_t;

/// The friends that a question is about, those of them who share: as bits over all ids, for walking
/// a list of readers, and as the words of those bits that are not empty, for meeting a bitset of
/// readers word by word. Made once a question, used for each of its URLs.
///
/// A plain value of one thread; its memory is that of its largest id over 8, and stays for the next
/// question. Cost: clear() and assign() are O(friends), whatever the ids, some 2 ns each.
class FriendSet {
public:
    struct Word {
        std::uint32_t at = 0;  ///< Ids from 64 * at on.
        std::uint64_t bits = 0;
    };

    /// Empties it.
    void clear();

    /// Puts these in an empty set: ascending; one that is there twice is no error.
    void assign(std::span<const ReaderId> friends);

    bool has(ReaderId id) const {
        const std::size_t at = id / 64;
        return at < bits_.size() && (bits_[at] >> id % 64 & 1) != 0;
    }

    /// Takes one out for a while, and puts it back: so that a list which names a reader twice shows
    /// them once. The words stay as they are.
    void take_out(ReaderId id) { bits_[id / 64] &= ~(std::uint64_t{1} << id % 64); }

    void put_back(ReaderId id) { bits_[id / 64] |= std::uint64_t{1} << id % 64; }

    /// Those with a friend, ascending.
    std::span<const Word> words() const { return words_; }

    std::size_t size() const { return size_; }

private:
    std::vector<std::uint64_t> bits_;  ///< Empty but for words_.
    std::vector<Word> words_;
    std::size_t size_ = 0;
};

}  // namespace footfall::reading
