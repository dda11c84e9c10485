#include "storage/room.h"

#include <thread>

namespace footfall::storage {

Result<void> write_when_there_is_room(
    const std::function<Result<void>()>& write, std::chrono::milliseconds patience
) {
    constexpr std::chrono::milliseconds pause{2};
    const auto deadline = std::chrono::steady_clock::now() + patience;
    for (;;) {
        Result<void> written = write();
        if (written || written.error().kind != ErrorKind::overloaded ||
            std::chrono::steady_clock::now() >= deadline) {
            return written;
        }
        std::this_thread::sleep_for(pause);  // tidy-allow(sleep): the store has no event
    }
}

}  // namespace footfall::storage
