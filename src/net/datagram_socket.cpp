#include "net/datagram_socket.h"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <netdb.h>
#include <poll.h>
#include <string>
#include <sys/socket.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace footfall::net {
namespace {

/// Received by one call.
constexpr std::size_t datagrams_at_once = 16;
/// No datagram is longer.
constexpr std::size_t datagram_bytes_max = 65'536;
/// What the system is asked to keep for us; it may keep less (net.core.rmem_max).
constexpr int kept_bytes = 1 << 20;

Error trouble(ErrorKind kind, const AddressAndPort& address, std::string_view chosen_with) {
    return {
        .kind = kind,
        .message = fmt::format(
            "cannot take datagrams at {}:{}: {}. Choose another with {}.",
            address.address,
            address.port,
            std::generic_category().message(errno),
            chosen_with
        )
    };
}

}  // namespace

/// Where a call puts what it receives.
struct DatagramSocket::Buffers {
    std::array<std::array<char, datagram_bytes_max>, datagrams_at_once> bytes;
    /// What the system says beside: how many it has dropped.
    std::array<std::array<char, CMSG_SPACE(sizeof(std::uint32_t))>, datagrams_at_once> said;
    std::array<::iovec, datagrams_at_once> places;
    std::array<::mmsghdr, datagrams_at_once> messages;

    void prepare() {
        for (std::size_t at = 0; at < datagrams_at_once; ++at) {
            places[at] = {.iov_base = bytes[at].data(), .iov_len = bytes[at].size()};
            messages[at] = {};
            messages[at].msg_hdr.msg_iov = &places[at];
            messages[at].msg_hdr.msg_iovlen = 1;
            messages[at].msg_hdr.msg_control = said[at].data();
            messages[at].msg_hdr.msg_controllen = said[at].size();
        }
    }
};

DatagramSocket::DatagramSocket(int descriptor)
    : descriptor_{descriptor}, buffers_{std::make_unique<Buffers>()} {
    received_.reserve(datagrams_at_once);
}

DatagramSocket::DatagramSocket(DatagramSocket&& other) noexcept
    : descriptor_{std::exchange(other.descriptor_, -1)},
      buffers_{std::move(other.buffers_)},
      received_{std::move(other.received_)},
      dropped_{other.dropped_} {}

DatagramSocket::~DatagramSocket() {
    if (descriptor_ >= 0) {
        ::close(descriptor_);
    }
}

Result<DatagramSocket> DatagramSocket::bind(
    const AddressAndPort& address, std::string_view chosen_with
) {
    ::addrinfo hints{};
    hints.ai_family = AF_UNSPEC;
    hints.ai_socktype = SOCK_DGRAM;
    hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE;
    ::addrinfo* found = nullptr;
    const std::string port = std::to_string(address.port);
    if (::getaddrinfo(address.address.c_str(), port.c_str(), &hints, &found) != 0) {
        errno = EADDRNOTAVAIL;
        return std::unexpected(trouble(ErrorKind::invalid_input, address, chosen_with));
    }
    const std::unique_ptr<::addrinfo, decltype(&::freeaddrinfo)> owned{found, &::freeaddrinfo};
    const int descriptor = ::socket(found->ai_family, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (descriptor < 0) {
        return std::unexpected(trouble(ErrorKind::unavailable, address, chosen_with));
    }
    DatagramSocket socket{descriptor};
    const int on = 1;
    ::setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &kept_bytes, sizeof kept_bytes);
    ::setsockopt(descriptor, SOL_SOCKET, SO_RXQ_OVFL, &on, sizeof on);
    if (::bind(descriptor, found->ai_addr, found->ai_addrlen) != 0) {
        return std::unexpected(trouble(
            errno == EADDRINUSE ? ErrorKind::conflict : ErrorKind::invalid_input,
            address,
            chosen_with
        ));
    }
    return socket;
}

std::span<const std::string_view> DatagramSocket::receive(std::chrono::milliseconds patience) {
    received_.clear();
    ::pollfd waiting{.fd = descriptor_, .events = POLLIN, .revents = 0};
    if (::poll(&waiting, 1, static_cast<int>(patience.count())) <= 0) {
        return {};
    }
    buffers_->prepare();
    const int count = ::recvmmsg(
        descriptor_, buffers_->messages.data(), datagrams_at_once, MSG_DONTWAIT, nullptr
    );
    for (int at = 0; at < count; ++at) {
        auto& message = buffers_->messages[static_cast<std::size_t>(at)];
        received_.emplace_back(
            buffers_->bytes[static_cast<std::size_t>(at)].data(), message.msg_len
        );
        ::cmsghdr* said = CMSG_FIRSTHDR(&message.msg_hdr);
        for (; said != nullptr; said = CMSG_NXTHDR(&message.msg_hdr, said)) {
            if (said->cmsg_level == SOL_SOCKET && said->cmsg_type == SO_RXQ_OVFL) {
                // The system counts in 32 bits, which may begin anew.
                std::uint32_t total = 0;
                std::memcpy(&total, CMSG_DATA(said), sizeof total);
                dropped_ += total - static_cast<std::uint32_t>(dropped_);
            }
        }
    }
    return received_;
}

}  // namespace footfall::net
