#include "server/service_manager.h"

#include "foundation/log.h"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <string>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace footfall::server {
namespace {

/// 0, or why it could not be sent.
int send_datagram(std::string_view path, std::string_view text) {
    sockaddr_un address{.sun_family = AF_UNIX, .sun_path = {}};
    if (path.size() >= sizeof address.sun_path) {
        return ENAMETOOLONG;
    }
    std::ranges::copy(path, address.sun_path);
    if (path.starts_with('@')) {  // of the abstract namespace
        address.sun_path[0] = '\0';
    }
    const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + path.size());
    const int descriptor = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (descriptor < 0) {
        return errno;
    }
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): what the call takes
    const auto* const to = reinterpret_cast<const sockaddr*>(&address);
    const auto sent = ::sendto(descriptor, text.data(), text.size(), MSG_NOSIGNAL, to, length);
    const int fault = sent < 0 ? errno : 0;
    ::close(descriptor);
    return fault;
}

}  // namespace

void tell_service_manager(std::string_view state) {
    const char* const path = std::getenv("NOTIFY_SOCKET");
    if (path == nullptr) {
        return;
    }
    if (const int fault = send_datagram(path, state); fault != 0) {
        log(LogLevel::warning,
            "NOTIFY_SOCKET={}: {} could not be told: {}",
            path,
            state,
            std::strerror(fault));
    }
}

}  // namespace footfall::server
