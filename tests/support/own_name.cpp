#include "test_support/own_name.h"

#include "test_support/must.h"

#include <fmt/format.h>

#include <cstddef>
#include <cstring>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace footfall::test_support {

/// A name of a socket that is not in the file system: no file is left over.
bool take_name(const std::string& name) {
    const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (socket < 0) {
        give_up(fmt::format("no socket: {}", std::strerror(errno)));
    }
    ::sockaddr_un address{};
    address.sun_family = AF_UNIX;
    name.copy(address.sun_path + 1, sizeof address.sun_path - 1);  // after a 0: not a path
    const auto size = static_cast<::socklen_t>(offsetof(::sockaddr_un, sun_path) + 1 + name.size());
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): what the call takes
    if (::bind(socket, reinterpret_cast<const ::sockaddr*>(&address), size) == 0) {
        return true;
    }
    ::close(socket);
    return false;
}

}  // namespace footfall::test_support
