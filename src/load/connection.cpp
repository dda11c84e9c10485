#include "load/connection.h"

#include "foundation/check.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <memory>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <unistd.h>
#include <utility>

namespace footfall::load {

Result<Endpoint> resolve(const std::string& host, std::uint16_t port) {
    const bool bracketed = host.starts_with('[') && host.ends_with(']');  // IPv6, as in a URL
    const std::string bare = bracketed ? host.substr(1, host.size() - 2) : host;
    addrinfo hints{};
    hints.ai_socktype = SOCK_STREAM;
    addrinfo* found = nullptr;
    const int failed = ::getaddrinfo(bare.c_str(), std::to_string(port).c_str(), &hints, &found);
    if (failed != 0) {
        return fail(
            ErrorKind::unavailable, fmt::format("resolve {}: {}", host, ::gai_strerror(failed))
        );
    }
    const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> owner{found, ::freeaddrinfo};
    Endpoint endpoint{.size = found->ai_addrlen, .name = fmt::format("{}:{}", host, port)};
    std::memcpy(&endpoint.address, found->ai_addr, found->ai_addrlen);
    return endpoint;
}

Connection::Connection(std::size_t depth) : tickets_(depth) {}

Connection::~Connection() {
    if (descriptor_ >= 0) {
        ::close(descriptor_);
    }
}

Connection::Connection(Connection&& other) noexcept
    : descriptor_{std::exchange(other.descriptor_, -1)},
      out_{std::move(other.out_)},
      written_{other.written_},
      part_{std::move(other.part_)},
      tickets_{std::move(other.tickets_)},
      oldest_{other.oldest_},
      in_flight_{other.in_flight_} {}

Result<void> Connection::open(const Endpoint& endpoint) {
    if (descriptor_ >= 0) {
        ::close(descriptor_);
    }
    out_.clear();
    part_.clear();
    written_ = oldest_ = in_flight_ = 0;
    sockaddr_storage address = endpoint.address;
    auto* const to = reinterpret_cast<sockaddr*>(&address);
    descriptor_ = ::socket(to->sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (descriptor_ < 0 || ::connect(descriptor_, to, endpoint.size) != 0) {
        return fail(
            ErrorKind::unavailable,
            fmt::format("cannot reach {}: {}", endpoint.name, std::strerror(errno))
        );
    }
    const int on = 1;
    ::setsockopt(descriptor_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    ::fcntl(descriptor_, F_SETFL, O_NONBLOCK);  // NOLINT(cppcoreguidelines-pro-type-vararg)
    return {};
}

void Connection::asked(const Ticket& ticket) {
    tickets_[(oldest_ + in_flight_) % tickets_.size()] = ticket;
    ++in_flight_;
}

Ticket Connection::take_oldest() {
    CHECK(in_flight_ > 0, "no request is waiting for an answer");
    const Ticket ticket = tickets_[oldest_];
    oldest_ = oldest_ + 1 == tickets_.size() ? 0 : oldest_ + 1;
    --in_flight_;
    return ticket;
}

bool Connection::write() {
    while (has_unwritten()) {
        const ssize_t sent =
            ::send(descriptor_, out_.data() + written_, out_.size() - written_, MSG_NOSIGNAL);
        if (sent < 0) {
            return errno == EAGAIN;
        }
        written_ += static_cast<std::size_t>(sent);
    }
    out_.clear();
    written_ = 0;
    return true;
}

bool Connection::read_some(std::span<char> buffer, std::string_view& bytes) {
    const ssize_t received = ::recv(descriptor_, buffer.data(), buffer.size(), 0);
    if (received < 0 && errno == EAGAIN) {
        bytes = part_;
        return true;
    }
    if (received <= 0) {
        return false;
    }
    bytes = {buffer.data(), static_cast<std::size_t>(received)};
    if (!part_.empty()) {
        part_.append(bytes);
        bytes = part_;
    }
    return true;
}

void Connection::keep(std::string_view rest) {
    if (part_.empty()) {
        part_.assign(rest);
    } else if (rest.size() != part_.size()) {
        // `rest` lies within part_.
        part_.erase(0, part_.size() - rest.size());
    }
}

}  // namespace footfall::load
