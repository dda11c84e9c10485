#pragma once

#include "foundation/result.h"

#include <cstdint>
#include <functional>

namespace footfall::backup {

/// How far a backup, a restore or a check has come.
struct Step {
    std::uint64_t bytes_done = 0;
    std::uint64_t bytes_total = 0;
};

/// Called before each change of the disk, and before each portion that is read: shows progress,
/// keeps to a rate by taking its time, and stops the work by failing. On the thread that works.
using BeforeStep = std::function<Result<void>(const Step&)>;

inline Result<void> go_on(const Step& /*step*/) {
    return {};
}

}  // namespace footfall::backup
