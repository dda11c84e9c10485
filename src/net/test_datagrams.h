#pragma once

#include "foundation/check.h"

#include <arpa/inet.h>
#include <cstdint>
#include <netinet/in.h>
#include <string_view>
#include <sys/socket.h>
#include <unistd.h>

namespace footfall::net {

/// Sends datagrams to ports of this machine, from one of its own. For tests.
class DatagramSender {
public:
    /// 0: of any free port.
    explicit DatagramSender(std::uint16_t port = 0)
        : socket_{::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0)} {
        ::sockaddr_in own = place(port);
        CHECK(::bind(socket_, address_of(own), sizeof own) == 0, "the port is free");
    }

    DatagramSender(const DatagramSender&) = delete;
    DatagramSender& operator=(const DatagramSender&) = delete;

    ~DatagramSender() { ::close(socket_); }

    /// Nobody else has it while this lives.
    std::uint16_t port() const {
        ::sockaddr_in own{};
        ::socklen_t size = sizeof own;
        CHECK(::getsockname(socket_, address_of(own), &size) == 0, "it is bound");
        return ntohs(own.sin_port);
    }

    /// False: it is too long for a datagram.
    bool send(std::uint16_t port, std::string_view bytes) const {
        ::sockaddr_in there = place(port);
        return ::sendto(socket_, bytes.data(), bytes.size(), 0, address_of(there), sizeof there) ==
               static_cast<::ssize_t>(bytes.size());
    }

private:
    static ::sockaddr_in place(std::uint16_t port) {
        ::sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(port);
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        return address;
    }

    static ::sockaddr* address_of(::sockaddr_in& address) {
        // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): what the calls take
        return reinterpret_cast<::sockaddr*>(&address);
    }

    int socket_;
};

/// A port for datagrams that was free a moment ago.
inline std::uint16_t free_datagram_port() {
    return DatagramSender{}.port();
}

}  // namespace footfall::net
