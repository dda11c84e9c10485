#include "load/arrivals.h"

#include <cmath>

namespace footfall::load {

Arrivals::Arrivals(ArrivalKind kind, double per_second, std::uint64_t seed)
    : kind_{kind}, gap_ns_{1e9 / per_second}, random_{seed} {}

void Arrivals::advance() {
    // Multiplied rather than added up, so that the rate stays exact over hours.
    position_ += kind_ == ArrivalKind::constant ? 1 : -std::log1p(-random_.fraction());
    due_ = static_cast<std::int64_t>(position_ * gap_ns_);
}

}  // namespace footfall::load
