#include "net/socket.h"

#include <cerrno>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

namespace footfall::net {
namespace {

/// Of recv() or send(), which answered `moved`.
Socket::Transfer outcome(ssize_t moved) {
    if (moved >= 0) {
        return {.bytes = static_cast<std::size_t>(moved)};
    }
    const bool would_wait = errno == EAGAIN || errno == EWOULDBLOCK;
    return {.would_wait = would_wait, .failed = !would_wait};
}

/// Calls `move` until no signal interrupts it.
template <class Move>
Socket::Transfer uninterrupted(const Move& move) {
    ssize_t moved = move();
    while (moved < 0 && errno == EINTR) {
        moved = move();
    }
    return outcome(moved);
}

}  // namespace

Socket::Transfer Socket::receive(std::span<char> into) const {
    Transfer transfer =
        uninterrupted([&] { return ::recv(descriptor_, into.data(), into.size(), 0); });
    transfer.failed = transfer.failed || (transfer.bytes == 0 && !transfer.would_wait);
    return transfer;
}

Socket::Transfer Socket::send(std::string_view bytes) const {
    return uninterrupted([&] {
        return ::send(descriptor_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    });
}

std::size_t Socket::available() const {
    int bytes = 0;
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-vararg): the system's
    return ::ioctl(descriptor_, FIONREAD, &bytes) == 0 && bytes > 0
               ? static_cast<std::size_t>(bytes)
               : 0;
}

void Socket::end_sending() const {
    ::shutdown(descriptor_, SHUT_WR);
}

void Socket::close() {
    if (const int descriptor = std::exchange(descriptor_, -1); descriptor >= 0) {
        ::shutdown(descriptor, SHUT_RDWR);
        ::close(descriptor);
    }
}

}  // namespace footfall::net
