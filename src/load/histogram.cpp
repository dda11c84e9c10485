#include "load/histogram.h"

#include <algorithm>
#include <cmath>

namespace footfall::load {

void Histogram::merge(const Histogram& other) {
    for (std::size_t at = 0; at < buckets_.size(); ++at) {
        buckets_[at] += other.buckets_[at];
    }
    count_ += other.count_;
    sum_ += other.sum_;
    max_ = std::max(max_, other.max_);
}

double Histogram::mean() const {
    return count_ == 0 ? 0 : static_cast<double>(sum_) / static_cast<double>(count_);
}

std::uint64_t Histogram::percentile(double quantile) const {
    const double wanted = std::ceil(quantile * static_cast<double>(count_));
    const auto rank = std::max<std::uint64_t>(static_cast<std::uint64_t>(wanted), 1);
    std::uint64_t seen = 0;
    for (std::size_t at = 0; at < buckets_.size(); ++at) {
        seen += buckets_[at];
        if (seen >= rank) {
            return std::min(middle_of(at), max_);
        }
    }
    return max_;
}

std::uint64_t Histogram::middle_of(std::size_t bucket) {
    const std::size_t octave = bucket >> sub_bits;
    const std::size_t shift = octave > 0 ? octave - 1 : 0;
    const std::uint64_t first = (bucket - (shift << sub_bits)) << shift;
    return first + ((std::uint64_t{1} << shift) >> 1);
}

}  // namespace footfall::load
