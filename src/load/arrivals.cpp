#include "load/arrivals.h"

#include "foundation/check.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace footfall::load {

Arrivals::Arrivals(ArrivalKind kind, double per_second, std::uint64_t seed, RateProfile profile)
    : kind_{kind}, gap_ns_{1e9 / per_second}, random_{seed}, profile_{std::move(profile)} {
    if (const auto& weights = profile_.weights; !weights.empty()) {
        mean_weight_ = std::accumulate(weights.begin(), weights.end(), 0.0) /
                       static_cast<double>(weights.size());
        CHECK(mean_weight_ > 0 && profile_.length > 0, "a profile of something", weights.size());
    }
}

void Arrivals::advance() {
    // Multiplied rather than added up, so that the rate stays exact over hours.
    position_ += kind_ == ArrivalKind::constant ? 1 : -std::log1p(-random_.fraction());
    // Where the profile ends, sums of fractions may be off by a little.
    due_ = std::max(due_, static_cast<std::int64_t>(time_of(position_)));
}

double Arrivals::requests_in(std::size_t stretch) const {
    return profile_.weights[stretch] / mean_weight_ * static_cast<double>(profile_.length) /
           static_cast<double>(profile_.weights.size()) / gap_ns_;
}

/// Nanoseconds. An even rate's schedule, with its clock going faster and slower: so a Poisson
/// process stays one.
double Arrivals::time_of(double position) {
    const std::size_t stretches = profile_.weights.size();
    const auto begin = static_cast<double>(profile_.begin);
    const double inside = position - begin / gap_ns_;
    if (stretches == 0 || inside < 0) {
        return position * gap_ns_;
    }
    while (stretch_ < stretches && inside >= before_ + requests_in(stretch_)) {
        before_ += requests_in(stretch_);
        ++stretch_;
    }
    if (stretch_ == stretches) {
        return position * gap_ns_;  // the mean of the profile is that of the rate
    }
    const double part = (inside - before_) / requests_in(stretch_);
    return begin + (static_cast<double>(stretch_) + part) / static_cast<double>(stretches) *
                       static_cast<double>(profile_.length);
}

}  // namespace footfall::load
