#include "api/batch_pace.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <time.h>
#include <utility>

namespace footfall::api {
namespace {

/// From this pressure on a batch pauses: the longer, the nearer the store is to slowing down all
/// writes.
constexpr double pause_from = 0.8;

/// The time that this thread had a core.
std::chrono::nanoseconds core_time() {
    timespec time{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return std::chrono::seconds{time.tv_sec} + std::chrono::nanoseconds{time.tv_nsec};
}

}  // namespace

void BatchPace::go_on() {
    begun_ = std::chrono::steady_clock::now();
    core_begun_ = core_time();
}

void BatchPace::stop() {
    waited_ += std::chrono::steady_clock::now() - begun_ - (core_time() - core_begun_);
}

std::chrono::microseconds BatchPace::due(double pressure) {
    using Microseconds = std::chrono::duration<double, std::micro>;
    const double strength = std::clamp((pressure - pause_from) / (1 - pause_from), 0.0, 1.0);
    const auto wanted = std::chrono::duration_cast<std::chrono::microseconds>(
        std::max<Microseconds>(strength * longest_pause, std::exchange(waited_, {}))
    );
    return wanted < shortest_pause ? std::chrono::microseconds{0} : std::min(wanted, longest_pause);
}

void BatchPace::pause(double pressure, const std::stop_token& stop) {
    const std::chrono::microseconds duration = due(pressure);
    if (duration.count() == 0) {
        return;
    }
    std::mutex alone;
    std::condition_variable_any stopped;
    std::unique_lock lock{alone};
    stopped.wait_for(lock, stop, duration, [] { return false; });
}

}  // namespace footfall::api
