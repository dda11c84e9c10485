#pragma once

#include "sets/number_set.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

namespace footfall::segments {

/// Of each segment the numbers of the people in it, and which numbers are given. Numbers are dense:
/// one that a person gave back is given again.
///
/// Where that is too much, sets may be thinned: then they have one of so many people, the same ones
/// in all segments, so that what several share is known of these. Who is among them is drawn within
/// each 65,536 numbers, by what a key that is ours makes of a number, and their places stand close
/// together again, so that bitmaps stay as dense as they were.
///
/// Not thread-safe.
class PeopleSets {
public:
    /// A number that nobody has; absent: there are no more.
    std::optional<sets::Number> take_number();

    /// Somebody has it, by rows.
    void use_number(sets::Number number);

    /// Nobody has it any more, and it is in no segment.
    void give_back(sets::Number number);

    /// Rows of all people were read: what is free among the numbers is found.
    void find_free();

    void add(std::int64_t segment, sets::Number number);
    void remove(std::int64_t segment, sets::Number number);

    /// From all segments but these, whatever was known of it.
    void keep_only(sets::Number number, std::span<const std::int64_t> segments);

    /// From now on sets have half as many people. False: there are too few left to tell anything.
    /// Cost: a look at each number of each set, and 4 bytes of memory for each of the largest one.
    bool thin();

    /// Of so many people one is in the sets: 1, or a power of two.
    std::uint32_t one_of() const { return 1U << level_; }

    /// Gives up a segment.
    void drop(std::int64_t segment);

    /// Never null: a segment without people is an empty set. Of thinned sets places, not numbers.
    const sets::NumberSet* of(std::int64_t segment) const;

    std::uint64_t people() const { return used_.size(); }

    /// Books what was changed since: so much of a look at each block of each set that was.
    void book();

    /// What all of it takes from the heap, as booked.
    std::size_t bytes() const { return bytes_; }

    /// The same, counted anew.
    std::size_t recount() const;

    /// All segments; numbers stay.
    void drop_all();

private:
    struct Set {
        sets::NumberSet numbers;
        std::size_t bytes = 0;  ///< That are booked.
        bool is_changed = false;
    };

    static constexpr std::size_t free_max = std::size_t{1} << 20;
    /// Of 65,536 people 16 are left.
    static constexpr unsigned level_max = 12;

    Set& changed(std::int64_t segment);
    std::optional<sets::Number> place_of(sets::Number number) const;
    std::size_t own_bytes() const;

    std::unordered_map<std::int64_t, Set> sets_;
    std::vector<std::int64_t> changed_;  ///< Segments that are to be booked.
    sets::NumberSet used_;
    unsigned level_ = 0;      ///< So often sets were thinned.
    std::uint64_t next_ = 0;  ///< No number from here on was given.
    std::vector<sets::Number> free_;
    std::size_t own_bytes_ = 0;
    std::size_t bytes_ = 0;
};

}  // namespace footfall::segments
