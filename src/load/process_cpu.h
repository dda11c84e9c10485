#pragma once

#include "foundation/result.h"

#include <chrono>
#include <cstddef>
#include <sys/types.h>

namespace footfall::load {

/// Time a processor has spent on something, in the program and in the kernel on its behalf.
struct CpuTime {
    std::chrono::nanoseconds user{0};
    std::chrono::nanoseconds system{0};

    std::chrono::nanoseconds total() const { return user + system; }

    CpuTime operator-(const CpuTime& before) const {
        return {.user = user - before.user, .system = system - before.system};
    }
};

/// All threads of a process since it started (/proc/PID/stat, in steps of 10 ms). `not_found` if
/// there is no such process.
Result<CpuTime> cpu_of_process(pid_t pid);

/// The calling thread since it started.
CpuTime cpu_of_this_thread();

/// How many cores a process may run on. `not_found` if there is no such process.
Result<std::size_t> cores_of_process(pid_t pid);

}  // namespace footfall::load
