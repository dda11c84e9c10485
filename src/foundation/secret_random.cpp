#include "foundation/secret_random.h"

#include <sys/random.h>

namespace footfall {

Result<void> draw_secret(std::span<std::byte> bytes) {
    while (!bytes.empty()) {
        const ssize_t drawn = ::getrandom(bytes.data(), bytes.size(), 0);
        if (drawn <= 0) {
            return fail(ErrorKind::unavailable, "the system gives no random bytes");
        }
        bytes = bytes.subspan(static_cast<std::size_t>(drawn));
    }
    return {};
}

}  // namespace footfall
