#pragma once

#include "foundation/random.h"

#include <cstdint>

namespace footfall::load {

/// How requests follow one another.
enum class ArrivalKind {
    constant,  ///< One every 1/rate seconds.
    poisson    ///< Independently of one another, as people come.
};

/// When each request of an open loop is due. The schedule is fixed beforehand: it does not wait for
/// answers. Not thread-safe.
class Arrivals {
public:
    /// `per_second` above 0. The seed matters for `poisson` only.
    Arrivals(ArrivalKind kind, double per_second, std::uint64_t seed);

    /// When the next request is due, in nanoseconds since the start; never less than before.
    std::int64_t due() const { return due_; }

    /// On to the one after.
    void advance();

private:
    ArrivalKind kind_;
    double gap_ns_;  ///< Mean time between two.
    Random random_;
    double position_ = 0;  ///< Constant: how many came before. Poisson: when, in gaps.
    std::int64_t due_ = 0;
};

}  // namespace footfall::load
