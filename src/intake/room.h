#pragma once

#include "foundation/result.h"

#include <chrono>
#include <thread>

namespace footfall::intake {

/// How long events wait for a store, or a log, that has no room.
inline constexpr std::chrono::seconds room_patience{10};

/// A pause of a thread that may wait, for a store whose queue is full: about what it takes to write
/// a part of it.
inline void pause_for_room() {
    constexpr std::chrono::milliseconds pause{5};
    std::this_thread::sleep_for(pause);  // tidy-allow(sleep): the store has no event for it.
}

/// What `ask` answers once there is room, or at `until`; any other failure is answered at once.
template <class Ask>
auto once_there_is_room(
    Ask ask,
    std::chrono::steady_clock::time_point until = std::chrono::steady_clock::time_point::max()
) {
    for (;;) {
        auto answer = ask();
        if (answer || answer.error().kind != ErrorKind::overloaded ||
            std::chrono::steady_clock::now() >= until) {
            return answer;
        }
        pause_for_room();
    }
}

}  // namespace footfall::intake
