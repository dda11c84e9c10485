#include "load/process_cpu.h"

#include <fmt/format.h>

#include <fstream>
#include <sched.h>
#include <sstream>
#include <string>
#include <sys/resource.h>
#include <unistd.h>

namespace footfall::load {
namespace {

std::chrono::nanoseconds of_ticks(std::uint64_t ticks) {
    static const auto per_second = static_cast<std::uint64_t>(::sysconf(_SC_CLK_TCK));
    return std::chrono::nanoseconds{ticks * (1'000'000'000 / per_second)};
}

std::chrono::nanoseconds of_timeval(const timeval& time) {
    return std::chrono::seconds{time.tv_sec} + std::chrono::microseconds{time.tv_usec};
}

}  // namespace

Result<CpuTime> cpu_of_process(pid_t pid) {
    std::ifstream file{fmt::format("/proc/{}/stat", pid)};
    std::string line;
    std::getline(file, line);
    // The second field, the program's name, may contain anything; what follows its ) does not.
    const std::size_t name_end = line.rfind(')');
    if (name_end == std::string::npos) {
        return fail(ErrorKind::not_found, fmt::format("there is no process {}", pid));
    }
    std::istringstream fields{line.substr(name_end + 1)};
    std::string skipped;
    for (int field = 3; field < 14; ++field) {
        fields >> skipped;
    }
    std::uint64_t user = 0;
    std::uint64_t system = 0;
    fields >> user >> system;
    return CpuTime{.user = of_ticks(user), .system = of_ticks(system)};
}

CpuTime cpu_of_this_thread() {
    rusage usage{};
    ::getrusage(RUSAGE_THREAD, &usage);
    return {.user = of_timeval(usage.ru_utime), .system = of_timeval(usage.ru_stime)};
}

Result<std::size_t> cores_of_process(pid_t pid) {
    cpu_set_t cores;
    CPU_ZERO(&cores);
    if (::sched_getaffinity(pid, sizeof cores, &cores) != 0) {
        return fail(ErrorKind::not_found, fmt::format("there is no process {}", pid));
    }
    return static_cast<std::size_t>(CPU_COUNT(&cores));
}

}  // namespace footfall::load
