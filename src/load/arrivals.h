#pragma once

#include "foundation/random.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace footfall::load {

/// How requests follow one another.
enum class ArrivalKind {
    constant,  ///< One every 1/rate seconds.
    poisson    ///< Independently of one another, as people come.
};

/// How a rate goes up and down, its mean unchanged. Times in nanoseconds since the start.
struct RateProfile {
    std::vector<double> weights = {};  ///< Of stretches of equal length; their sum above 0.
    std::int64_t begin = 0;            ///< Before the first, and after the last, the rate is even.
    std::int64_t length = 0;           ///< Of all stretches; above 0 if there are any.
};

/// When each request of an open loop is due. The schedule is fixed beforehand: it does not wait for
/// answers. Not thread-safe.
class Arrivals {
public:
    /// `per_second` above 0. The seed matters for `poisson` only. A profile without weights: the
    /// rate stays.
    Arrivals(ArrivalKind kind, double per_second, std::uint64_t seed, RateProfile profile = {});

    /// When the next request is due, in nanoseconds since the start; never less than before.
    std::int64_t due() const { return due_; }

    /// On to the one after.
    void advance();

private:
    double time_of(double position);
    double requests_in(std::size_t stretch) const;

    ArrivalKind kind_;
    double gap_ns_;  ///< Mean time between two.
    Random random_;
    RateProfile profile_;
    double mean_weight_ = 0;
    std::size_t stretch_ = 0;  ///< Of the profile, that is gone through;
    double before_ = 0;        ///< and the requests of it that came before this one.
    double position_ = 0;      ///< Constant: how many came before. Poisson: when, in gaps.
    std::int64_t due_ = 0;
};

}  // namespace footfall::load
