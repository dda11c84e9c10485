#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace footfall::scale {

/// How often which duration was seen, in microseconds: exact below 64, above that in steps of at
/// most a sixty-fourth. 30 KiB, whatever is added.
class Histogram {
public:
    void add(std::uint64_t microseconds) {
        ++counts_[index_of(microseconds)];
        ++count_;
        max_ = microseconds > max_ ? microseconds : max_;
    }

    std::uint64_t count() const { return count_; }

    std::uint64_t max() const { return max_; }

    /// The upper end of the step in which the `fraction` of all that was added ends; 0 when empty.
    std::uint64_t quantile(double fraction) const {
        const double wanted = fraction * static_cast<double>(count_);
        std::uint64_t seen = 0;
        for (std::size_t index = 0; index < counts_.size() && count_ > 0; ++index) {
            seen += counts_[index];
            if (static_cast<double>(seen) >= wanted) {
                const std::uint64_t end = end_of(index);
                return end < max_ ? end : max_;
            }
        }
        return max_;
    }

private:
    static constexpr unsigned step_bits = 6;
    static constexpr std::size_t steps = std::size_t{1} << step_bits;

    static std::size_t index_of(std::uint64_t value) {
        const auto width = static_cast<unsigned>(std::bit_width(value));
        const unsigned shift = width > step_bits + 1 ? width - step_bits - 1 : 0;
        return shift * steps + static_cast<std::size_t>(value >> shift);
    }

    /// The largest value of a step.
    static std::uint64_t end_of(std::size_t index) {
        const std::size_t shift = index < 2 * steps ? 0 : index / steps - 1;
        return ((index - shift * steps + 1) << shift) - 1;
    }

    std::array<std::uint64_t, (64 - step_bits + 1) * steps> counts_{};
    std::uint64_t count_ = 0;
    std::uint64_t max_ = 0;
};

}  // namespace footfall::scale
