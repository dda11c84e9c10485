#include "test_support/own_port.h"

#include "test_support/must.h"
#include "test_support/own_name.h"

#include <fmt/format.h>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <random>
#include <sys/socket.h>
#include <unistd.h>

namespace footfall::test_support {
namespace {

/// Below those that Linux gives out: /proc/sys/net/ipv4/ip_local_port_range.
constexpr std::uint32_t first_port = 20'000;
constexpr std::uint32_t ports = 12'000;

/// Whether a server could listen there.
bool is_bindable(std::uint16_t port) {
    const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (socket < 0) {
        give_up("no socket");
    }
    const int reuse = 1;
    ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &reuse, sizeof reuse);
    ::sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): what the call takes
    const bool bound =
        ::bind(socket, reinterpret_cast<const ::sockaddr*>(&address), sizeof address) == 0;
    ::close(socket);
    return bound;
}

}  // namespace

std::uint16_t own_port() {
    const std::uint32_t start = std::random_device{}();
    for (std::uint32_t more = 0; more < ports; ++more) {
        const auto port = static_cast<std::uint16_t>(first_port + (start % ports + more) % ports);
        if (take_name(fmt::format("footfall-port-{}", port)) && is_bindable(port)) {
            return port;
        }
    }
    give_up("no port is free");
}

}  // namespace footfall::test_support
