#pragma once

#include "foundation/clock.h"
#include "guard/bloom_block.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>

namespace footfall::guard {

/// Which keys were forgotten: never says no of one that was, and seldom yes of another: 1 in 2,000
/// for each of its parts, of 20 bits a key, while it has memory for one more; up to 1 in 12, of 6
/// bits, for one that has to be filled up. When its memory is used up so far, or a part is of times
/// that matter no more, the oldest part goes, and it says up to which time.
///
/// Bloom filters of BloomBlocks, so a question is one miss of the cache for each part. A part has
/// twice the size of the one before, while there is memory: so there are few, and nothing is
/// allocated for keys that do not come. Keys are keyed hashes of 64 bits.
///
/// A plain value that can be moved; belongs to one lane and is used under its mutex. Takes nothing
/// of the heap before the first key. Cost: 20 ns a part in the cache.
class KeyFilter {
public:
    static constexpr std::size_t parts_max = 10;

    /// Takes at most so many bytes; below 64 it knows nothing, and says so.
    explicit KeyFilter(std::size_t bytes_max) : bytes_max_{bytes_max} {}

    /// From now on. What is more goes, the oldest first.
    void set_bytes_max(std::size_t bytes_max);

    std::size_t bytes_max() const { return bytes_max_; }

    /// Adds a key, of which the highest time is this. Parts that begin before `remote` are not
    /// added to: such times matter to few.
    void add(std::uint64_t key, Instant time, Instant remote = Instant::min());

    /// Whether a time of this key that is later than `after` may have been added, and not dropped.
    bool may_contain(std::uint64_t key, Instant after = Instant::min()) const;

    /// Fetches what a question about this key will need.
    void prefetch(std::uint64_t key) const {
        for (const Part& part : parts_) {
            __builtin_prefetch(&part.blocks[Block::place_of(key, part.size)]);
        }
    }

    /// No key that it was told of and has dropped since is of a later time. Instant::min(): none.
    Instant dropped_through() const { return dropped_through_; }

    /// Appends the newest parts for take(), in at most `bytes_max`. Answers what dropped_through()
    /// is of a filter that takes them: the others are missing there.
    Instant append_newest(std::size_t bytes_max, std::string& bytes) const;

    /// Adds the parts that append_newest() appended, and takes them off the front of `bytes`. To be
    /// called of an empty filter. False: these are other bytes, and the filter is void.
    bool take(std::string_view& bytes);

    std::size_t bytes() const { return blocks_ * sizeof(Block); }

    /// The same, counted anew.
    std::size_t recount() const;

private:
    using Block = BloomBlock;

    /// Of one age.
    struct Part {
        std::unique_ptr<Block[]> blocks;
        std::size_t size = 0;  ///< Of blocks.
        std::size_t keys = 0;
        Instant first = Instant::min();    ///< The time that came first.
        Instant through = Instant::min();  ///< The latest time of its keys.

        /// Whether each key, one more included, has less than so many bits.
        bool has_less_than(std::size_t bits) const;
    };

    std::size_t size_of_next() const;
    bool may_add_part() const;
    bool begin_part(Instant time);
    void drop_oldest();
    bool take_part(std::string_view& bytes);

    std::size_t bytes_max_;
    std::size_t blocks_ = 0;  ///< Of all parts.
    std::deque<Part> parts_;  ///< The newest is the last.
    Instant dropped_through_ = Instant::min();
};

}  // namespace footfall::guard
