#pragma once

#include <chrono>
#include <thread>

namespace footfall::test_support {

/// Asks `condition` again and again until it is true or `patience` is over; answers whether it
/// became true. For what another process does and tells nobody about.
template <class Condition>
bool eventually(
    Condition condition,
    std::chrono::milliseconds patience = std::chrono::seconds{15},
    std::chrono::microseconds pause = std::chrono::milliseconds{2}
) {
    const auto deadline = std::chrono::steady_clock::now() + patience;
    while (!condition()) {
        if (std::chrono::steady_clock::now() >= deadline) {
            return false;
        }
        std::this_thread::sleep_for(pause);  // tidy-allow(sleep): other processes have no event
    }
    return true;
}

}  // namespace footfall::test_support
