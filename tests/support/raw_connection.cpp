#include "test_support/raw_connection.h"

#include "test_support/must.h"

#include <fmt/format.h>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace footfall::test_support {
namespace {

sockaddr_in loopback(std::uint16_t port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}

/// bind() and connect() take every kind of address as this one.
sockaddr* general(sockaddr_in& address) {
    return reinterpret_cast<sockaddr*>(&address);
}

int new_socket() {
    const int made = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (made < 0) {
        give_up("cannot make a socket");
    }
    return made;
}

}  // namespace

RawConnection::RawConnection(std::uint16_t port) : socket_{new_socket()} {
    sockaddr_in address = loopback(port);
    if (::connect(socket_, general(address), sizeof address) != 0) {
        ::close(socket_);
        give_up(fmt::format("cannot connect to port {}", port));
    }
}

RawConnection::~RawConnection() {
    ::close(socket_);
}

bool RawConnection::send(std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (sent < 0) {
            return false;
        }
        bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
}

const std::string& RawConnection::receive_until(
    const std::function<bool(const std::string&)>& enough, std::chrono::milliseconds patience
) {
    const auto deadline = std::chrono::steady_clock::now() + patience;
    char buffer[16384];
    while (!closed_ && !enough(received_)) {
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
            deadline - std::chrono::steady_clock::now()
        );
        pollfd waiting{.fd = socket_, .events = POLLIN, .revents = 0};
        if (left.count() <= 0 || ::poll(&waiting, 1, static_cast<int>(left.count())) <= 0) {
            break;
        }
        const ssize_t count = ::recv(socket_, buffer, sizeof buffer, 0);
        closed_ = count <= 0;
        received_.append(buffer, closed_ ? 0 : static_cast<std::size_t>(count));
    }
    return received_;
}

std::string ask_raw(std::uint16_t port, std::string_view head, std::string_view body) {
    RawConnection connection{port};
    const std::string length =
        body.empty() ? std::string{} : fmt::format("Content-Length: {}\r\n", body.size());
    connection.send(fmt::format("{}Connection: close\r\n{}\r\n{}", head, length, body));
    return connection.receive_all();
}

TakenPort::TakenPort() : socket_{new_socket()} {
    sockaddr_in address = loopback(0);
    socklen_t size = sizeof address;
    if (::bind(socket_, general(address), size) != 0 || ::listen(socket_, 1) != 0 ||
        ::getsockname(socket_, general(address), &size) != 0) {
        ::close(socket_);
        give_up("cannot take a port");
    }
    port_ = ntohs(address.sin_port);
}

TakenPort::~TakenPort() {
    ::close(socket_);
}

bool is_free(std::uint16_t port) {
    const int probe = new_socket();
    const int yes = 1;
    ::setsockopt(probe, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    sockaddr_in address = loopback(port);
    const bool bound = ::bind(probe, general(address), sizeof address) == 0;
    ::close(probe);
    return bound;
}

}  // namespace footfall::test_support
