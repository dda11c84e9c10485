#pragma once

#include "guard/bloom_block.h"

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace footfall::intake {

/// Which ids were added: never says no of one that was. A Bloom filter of a fixed size, to which
/// any number of threads add while others ask: who knows by other means (a lane's mutex) that an id
/// was added before he asks is answered so. More ids than it is for make it say yes more often, and
/// never wrongly no.
///
/// Memory: what it is given, touched as ids come. Cost: a miss of the cache for either.
class IdFilter {
public:
    /// `bytes` is at least 32.
    explicit IdFilter(std::size_t bytes);

    IdFilter(const IdFilter&) = delete;
    IdFilter& operator=(const IdFilter&) = delete;
    ~IdFilter();

    /// `identity`: a well-mixed hash (events::EventKeys).
    void add(std::uint64_t identity) {
        const guard::BloomBlock bits = guard::BloomBlock::bits_of(identity);
        guard::BloomBlock& block = blocks_[place_of(identity)];
        for (std::size_t at = 0; at < bits.words.size(); ++at) {
            const std::atomic_ref word{block.words[at]};
            if ((word.load(std::memory_order_relaxed) & bits.words[at]) == 0) {
                word.fetch_or(bits.words[at], std::memory_order_relaxed);
            }
        }
        added_.fetch_add(1, std::memory_order_relaxed);
    }

    bool may_contain(std::uint64_t identity) const {
        const guard::BloomBlock bits = guard::BloomBlock::bits_of(identity);
        guard::BloomBlock& block = blocks_[place_of(identity)];
        std::uint32_t missing = 0;
        for (std::size_t at = 0; at < bits.words.size(); ++at) {
            const std::atomic_ref word{block.words[at]};
            missing |= bits.words[at] & ~word.load(std::memory_order_relaxed);
        }
        return missing == 0;
    }

    /// Fetches what a question or an addition will need.
    void prefetch(std::uint64_t identity) const {
        __builtin_prefetch(&blocks_[place_of(identity)]);
    }

    /// How often something was added.
    std::uint64_t added() const { return added_.load(std::memory_order_relaxed); }

    /// So many ids it is for.
    std::uint64_t capacity() const { return guard::BloomBlock::keys_of(count_); }

    std::size_t bytes() const { return count_ * sizeof(guard::BloomBlock); }

private:
    std::size_t place_of(std::uint64_t identity) const {
        return guard::BloomBlock::place_of(identity, count_);
    }

    std::size_t count_;  ///< Of blocks.
    guard::BloomBlock* blocks_ = nullptr;
    std::atomic<std::uint64_t> added_ = 0;
};

}  // namespace footfall::intake
