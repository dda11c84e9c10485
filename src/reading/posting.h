#pragma once

#include "reading/friend_set.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace footfall::reading {

/// A quarter-hour, counted from some day on that all of a process agree on: 16 bits are 682 days,
/// and facts live for 30.
using Quarter = std::uint16_t;

/// A reader of a URL, with the quarter-hour of their latest read.
struct LatestRead {
    ReaderId reader = 0;
    Quarter latest = 0;

    friend bool operator==(const LatestRead&, const LatestRead&) = default;
};

/// Who read one URL: 6 bytes a reader. One or two stand in place. More stand in a list, sorted by
/// id but for what came last; and beside a list that has more than a 32nd of all ids there is a
/// bitset of the same ids.
///
/// Who comes again is appended again, and the earlier entry goes when the list is put in order,
/// which is when it would have to grow. So add() looks for nobody and is O(1), amortized; readers()
/// and match() know each reader once.
///
/// A plain value of 16 bytes and its list; belongs to a lane, under its mutex.
class Posting {
public:
    Posting() = default;
    Posting(Posting&& other) noexcept;
    Posting& operator=(Posting&& other) noexcept;
    Posting(const Posting&) = delete;
    Posting& operator=(const Posting&) = delete;

    ~Posting() { clear(); }

    /// The reader read it then; an earlier quarter than one that is known changes nothing.
    /// `ids_end`: all ids are below.
    void add(LatestRead reading, ReaderId ids_end);

    /// Keeps those of which `is_kept(reading)` says so, and puts them in order.
    template <class IsKept>
    void keep(ReaderId ids_end, const IsKept& is_kept) {
        std::vector<LatestRead> left = readings();
        std::erase_if(left, [&](const LatestRead& each) { return !is_kept(each); });
        assign(left, ids_end);
    }

    /// All readers, each once, by id.
    std::vector<LatestRead> readings() const;

    /// How many they are. O(readers) where some came again since the list was put in order.
    std::size_t readers() const;

    /// Appends those of the friends who read it, each once, in no order. `friends` is the same
    /// afterwards. Costs what is less: the readers, at some 0.7 ns, or the friends' words.
    void match(FriendSet& friends, std::vector<ReaderId>& matched) const;

    /// Memory beside the 16 bytes.
    std::size_t heap_bytes() const;

    bool empty() const { return in_place_ == 0; }

private:
    static constexpr std::size_t in_place_max = 2;
    static constexpr std::uint8_t on_heap = 255;

    struct List;

    List& list() const;
    void set_list(List* list);
    void clear();
    void assign(std::span<const LatestRead> readings, ReaderId ids_end);
    LatestRead at_place(std::size_t at) const;
    void put_in_place(std::size_t at, LatestRead reading);

    /// Two readings, or a pointer to a list. In bytes, so that it takes no more than it needs.
    std::array<std::byte, in_place_max * (sizeof(ReaderId) + sizeof(Quarter))> place_{};
    std::uint8_t in_place_ = 0;  ///< How many; on_heap: a list.
};

}  // namespace footfall::reading
