#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace footfall::load {

/// How often each latency occurred, in nanoseconds: buckets of 1/128 of their value (after G.
/// Tene's HdrHistogram), so a percentile is at most 0.4 % off. The maximum is exact. Values above
/// 2^41 ns (36 minutes) count as that. 35 KiB, nothing allocated; record() takes about 2 ns. Not
/// thread-safe.
class Histogram {
public:
    void record(std::uint64_t nanoseconds) {
        ++buckets_[bucket_of(nanoseconds)];
        ++count_;
        sum_ += nanoseconds;
        max_ = nanoseconds > max_ ? nanoseconds : max_;
    }

    void merge(const Histogram& other);

    std::uint64_t count() const { return count_; }

    std::uint64_t max() const { return max_; }

    /// 0 when nothing was recorded.
    double mean() const;

    /// The value that a share of `quantile` (0 to 1) of all do not exceed; 0 when nothing was
    /// recorded.
    std::uint64_t percentile(double quantile) const;

private:
    static constexpr unsigned sub_bits = 7;
    static constexpr unsigned value_bits = 41;
    static constexpr std::size_t bucket_count = (value_bits - sub_bits + 1) << sub_bits;

    /// Below 256 each value has its bucket; above, the leading eight bits choose it.
    static std::size_t bucket_of(std::uint64_t value) {
        const std::uint64_t kept = value < longest ? value : longest;
        const unsigned width = static_cast<unsigned>(std::bit_width(kept));
        const unsigned shift = width > sub_bits + 1 ? width - sub_bits - 1 : 0;
        return (static_cast<std::size_t>(shift) << sub_bits) + (kept >> shift);
    }

    static std::uint64_t middle_of(std::size_t bucket);

    static constexpr std::uint64_t longest = (std::uint64_t{1} << value_bits) - 1;

    std::array<std::uint64_t, bucket_count> buckets_{};
    std::uint64_t count_ = 0;
    std::uint64_t sum_ = 0;
    std::uint64_t max_ = 0;
};

}  // namespace footfall::load
