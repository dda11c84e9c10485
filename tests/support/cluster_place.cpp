#include "test_support/cluster_place.h"

#include "test_support/must.h"

#include <fmt/format.h>

#include <cstddef>
#include <cstring>
#include <string>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace footfall::test_support {
namespace {

/// Whether nobody had this name on this machine; then it is ours until the process ends, however it
/// does. A name of a socket that is not in the file system: no file is left over.
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

int take_place() {
    constexpr int most = 64;
    for (int place = 1; place <= most; ++place) {
        if (take_name(fmt::format("footfall-test-{}", place))) {
            return place;
        }
    }
    give_up(fmt::format("{} processes test on the cluster already", most));
}

}  // namespace

int cluster_place() {
    static const int place = take_place();
    return place;
}

}  // namespace footfall::test_support
