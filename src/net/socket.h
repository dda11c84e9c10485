#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <utility>

namespace footfall::net {

/// A connected stream socket that never waits. Asio's would ask the system once more after each
/// read, in vain, before it waits (ready_poll.h); this one leaves waiting to others. Closes itself.
/// One thread.
class Socket {
public:
    /// What came of moving bytes. Neither flag: some were moved.
    struct Transfer {
        std::size_t bytes = 0;
        bool would_wait = false;
        bool failed = false;  ///< Or the other side sends no more.
    };

    /// Takes over a descriptor that does not block.
    explicit Socket(int descriptor) : descriptor_{descriptor} {}

    Socket(const Socket&) = delete;
    Socket& operator=(const Socket&) = delete;

    Socket(Socket&& other) noexcept : descriptor_{std::exchange(other.descriptor_, -1)} {}

    Socket& operator=(Socket&&) = delete;

    ~Socket() { close(); }

    int descriptor() const { return descriptor_; }

    Transfer receive(std::span<char> into) const;
    Transfer send(std::string_view bytes) const;

    /// How many bytes could be received at once.
    std::size_t available() const;

    /// The other side learns that no more comes.
    void end_sending() const;

    /// Idempotent; all other calls fail from then on.
    void close();

private:
    int descriptor_;
};

}  // namespace footfall::net
