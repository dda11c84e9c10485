#pragma once

#include <chrono>
#include <stop_token>

namespace footfall::api {

/// How a batch gives way to single PUTs: it pauses for as long as it had to wait for a core, since
/// then others have to wait as well, and when the store is about to slow down all writes. Of one
/// thread.
class BatchPace {
public:
    static constexpr std::chrono::microseconds longest_pause{20'000};
    static constexpr std::chrono::microseconds shortest_pause{100};  ///< Less is not worth it.

    /// Measures from here on; called again after a wait for something else than a core.
    void go_on();

    /// Adds what was measured since go_on().
    void stop();

    /// How long to pause now, at this Store::pressure(): zero, or between the shortest and the
    /// longest pause. What was measured so far is done with.
    std::chrono::microseconds due(double pressure);

    /// Pauses as long as is due. Ends early when `stop` is asked.
    void pause(double pressure, const std::stop_token& stop);

private:
    std::chrono::steady_clock::time_point begun_;
    std::chrono::nanoseconds core_begun_{};
    std::chrono::nanoseconds waited_{};
};

}  // namespace footfall::api
