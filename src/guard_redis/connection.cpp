#include "guard_redis/connection.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <system_error>
#include <unistd.h>

namespace footfall::guard_redis {
namespace {

constexpr std::size_t reply_bytes_max = 64 << 20;

std::unexpected<Error> broken(std::string_view what) {
    return fail(
        ErrorKind::unavailable, fmt::format("{}: {}", what, std::generic_category().message(errno))
    );
}

using Addresses = std::unique_ptr<addrinfo, void (*)(addrinfo*)>;

Addresses addresses_of(const std::string& address, const std::string& port) {
    addrinfo hints{};
    hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV;
    hints.ai_socktype = SOCK_STREAM;
    addrinfo* found = nullptr;
    if (::getaddrinfo(address.c_str(), port.c_str(), &hints, &found) != 0) {
        found = nullptr;
    }
    return {found, ::freeaddrinfo};
}

}  // namespace

bool is_numeric_address(const std::string& address) {
    return addresses_of(address, "0") != nullptr;
}

Result<std::unique_ptr<Connection>> Connection::open(
    const std::string& address, std::uint16_t port, Deadline deadline
) {
    const Addresses to = addresses_of(address, fmt::to_string(port));
    if (to == nullptr) {
        return fail(ErrorKind::unavailable, fmt::format("\"{}\" is no numeric address", address));
    }
    const int socket = ::socket(to->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (socket < 0) {
        return broken("socket");
    }
    std::unique_ptr<Connection> connection{new Connection{socket}};
    const int yes = 1;
    ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    if (::connect(socket, to->ai_addr, to->ai_addrlen) != 0) {
        if (errno != EINPROGRESS) {
            return broken("connect");
        }
        TRY_VOID(connection->wait_for(POLLOUT, deadline));
        socklen_t size = sizeof errno;
        ::getsockopt(socket, SOL_SOCKET, SO_ERROR, &errno, &size);
        if (errno != 0) {
            return broken("connect");
        }
    }
    return connection;
}

Connection::~Connection() {
    ::close(socket_);
}

Result<void> Connection::exchange(
    std::string_view commands, std::size_t replies, Deadline deadline, const OnReply& on_reply
) {
    TRY_VOID(send_all(commands, deadline));
    std::array<char, 16 << 10> buffer{};
    std::size_t received = 0;
    for (std::size_t done = 0; done < replies;) {
        TRY(const Reply* const reply, reader_.next());
        if (reply != nullptr) {
            TRY_VOID(on_reply(done, *reply));
            ++done;
            continue;
        }
        const ssize_t count = ::recv(socket_, buffer.data(), buffer.size(), 0);
        if (count == 0) {
            return fail(ErrorKind::unavailable, "the connection was closed");
        }
        if (count > 0) {
            received += static_cast<std::size_t>(count);
            if (received > reply_bytes_max) {
                return fail(ErrorKind::unavailable, "the answer is longer than 64 MiB");
            }
            TRY_VOID(reader_.feed({buffer.data(), static_cast<std::size_t>(count)}));
        } else if (errno == EAGAIN) {
            TRY_VOID(wait_for(POLLIN, deadline));
        } else if (errno != EINTR) {
            return broken("recv");
        }
    }
    return {};
}

Result<void> Connection::send_all(std::string_view bytes, Deadline deadline) {
    while (!bytes.empty()) {
        const ssize_t count = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (count >= 0) {
            bytes.remove_prefix(static_cast<std::size_t>(count));
        } else if (errno == EAGAIN) {
            TRY_VOID(wait_for(POLLOUT, deadline));
        } else if (errno != EINTR) {
            return broken("send");
        }
    }
    return {};
}

Result<void> Connection::wait_for(short events, Deadline deadline) {
    for (;;) {
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(
            deadline - std::chrono::steady_clock::now()
        );
        if (left.count() <= 0) {
            return fail(ErrorKind::timed_out, "no answer in time");
        }
        pollfd watched{.fd = socket_, .events = events, .revents = 0};
        const int ready =
            ::poll(&watched, 1, static_cast<int>(std::min<std::int64_t>(left.count(), 60'000)));
        if (ready > 0) {
            return {};
        }
        if (ready < 0 && errno != EINTR) {
            return broken("poll");
        }
    }
}

}  // namespace footfall::guard_redis
