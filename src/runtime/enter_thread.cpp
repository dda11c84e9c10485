#include "runtime/enter_thread.h"

#include <algorithm>
#include <cstdint>
#include <pthread.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace footfall::runtime {
namespace {

constexpr std::int32_t background_nice = 10;

/// A thread that wakes up takes the core from one with a longer slice.
std::uint64_t slice_ns(Urgency urgency) {
    switch (urgency) {
        case Urgency::first:
            return 100'000;
        case Urgency::answers:
            return 1'000'000;
        case Urgency::work:
            return 0;  // what the kernel gives
        case Urgency::background:
            return 20'000'000;
    }
    return 0;
}

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
    attributes.runtime = slice_ns(urgency);
    (void)::syscall(SYS_sched_setattr, 0, &attributes, 0U);
    // NOLINTEND(cppcoreguidelines-pro-type-vararg)
}

}  // namespace footfall::runtime
