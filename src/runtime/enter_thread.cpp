#include "runtime/enter_thread.h"

#include <algorithm>
#include <cstdint>
#include <pthread.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace footfall::runtime {
namespace {

constexpr std::uint64_t short_slice_ns = 100'000;
constexpr std::int32_t background_nice = 10;

/// What sched_getattr(2) answers; the C library of Debian 12 does not declare it.
struct SchedulerAttributes {
    std::uint32_t size;
    std::uint32_t policy;
    std::uint64_t flags;
    std::int32_t nice;
    std::uint32_t priority;
    std::uint64_t runtime;
    std::uint64_t deadline;
    std::uint64_t period;
};

}  // namespace

void enter_thread(const char* name, Urgency urgency) {
    pthread_setname_np(pthread_self(), name);
    // NOLINTBEGIN(cppcoreguidelines-pro-type-vararg): there is no other way
    SchedulerAttributes attributes{};
    if (::syscall(SYS_sched_getattr, 0, &attributes, sizeof attributes, 0U) != 0) {
        return;
    }
    // From the process, not from the thread that made this one, which may be in the background.
    const int usual = ::getpriority(PRIO_PROCESS, static_cast<id_t>(::getpid()));
    const bool is_background = urgency == Urgency::background;
    attributes.nice = is_background ? std::min(usual + background_nice, 19) : usual;
    attributes.runtime = urgency == Urgency::answers ? short_slice_ns : 0;  // 0: the usual
    (void)::syscall(SYS_sched_setattr, 0, &attributes, 0U);
    // NOLINTEND(cppcoreguidelines-pro-type-vararg)
}

}  // namespace footfall::runtime
