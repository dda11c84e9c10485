#pragma once

#include <cstdint>

namespace footfall::load {

/// What kind of requests are made, after the load test of the counters that Footfall replaces:
/// random 64-bit tokens on objects drawn from a Gaussian, so that some objects are hot.
struct TrafficShape {
    std::uint64_t objects = 100'000;  ///< Above 0; objects are named 0 to objects - 1.
    double deviation = 0;             ///< Of the Gaussian, in objects; 0: a sixth of all.
    double get_share = 0;             ///< How many of the requests are GETs, 0 to 1.
    std::uint64_t seed = 1;
};

struct Operation {
    bool is_get;
    std::uint64_t object;
    std::uint64_t token;
};

/// The n-th operation as a pure function of shape and n: whoever knows which operations were
/// acknowledged knows what every object must count, without having kept anything. The tokens of one
/// seed are all distinct. Costs about 30 ns. A plain value, safe to read from any thread.
class Traffic {
public:
    explicit Traffic(const TrafficShape& shape);

    Operation at(std::uint64_t n) const;

    const TrafficShape& shape() const { return shape_; }

private:
    std::uint64_t object_of(std::uint64_t random) const;

    TrafficShape shape_;
    double mean_;
    double deviation_;
    std::uint64_t token_start_;
    std::uint64_t object_start_;
    std::uint64_t get_below_;  ///< Out of 2^32.
};

}  // namespace footfall::load
