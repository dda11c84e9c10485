#pragma once

#include <algorithm>
#include <cstddef>

namespace footfall::journal {

/// How many records are taken at once: half as many after a failure, since the next one loses less
/// and asks less of who may be overloaded; twice as many after a success. A plain value.
class PortionSize {
public:
    /// Begins with the most.
    PortionSize(std::size_t least, std::size_t most) : least_{least}, most_{most}, now_{most} {}

    std::size_t records() const { return now_; }

    void note(bool taken) { now_ = taken ? std::min(now_ * 2, most_) : std::max(now_ / 2, least_); }

private:
    std::size_t least_;
    std::size_t most_;
    std::size_t now_;
};

}  // namespace footfall::journal
