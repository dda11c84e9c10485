#pragma once

#include "foundation/result.h"
#include "load/protocol.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <sys/socket.h>
#include <vector>

namespace footfall::load {

/// Nanoseconds of the steady clock.
using Nanoseconds = std::int64_t;

/// A request that was sent, by whoever sent it.
struct Ticket {
    std::uint64_t id = 0;
    Nanoseconds due = 0;
};

/// Where a server listens, resolved once.
struct Endpoint {
    sockaddr_storage address{};
    socklen_t size = 0;
    std::string name;  ///< "HOST:PORT", as the user knows it.
};

/// `unavailable` if the name cannot be resolved.
Result<Endpoint> resolve(const std::string& host, std::uint16_t port);

/// One connection: its socket, the requests not written yet and those not answered yet, at most
/// `depth`, answered in order. Allocates while it warms up only. Not thread-safe.
class Connection {
public:
    explicit Connection(std::size_t depth);
    ~Connection();
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;
    Connection(Connection&& other) noexcept;
    Connection& operator=(Connection&&) = delete;

    /// Connects, waiting until it is; without delay and not blocking from then on. Forgets what was
    /// written and asked before. `unavailable`: nobody answers there; names the server.
    Result<void> open(const Endpoint& endpoint);

    int descriptor() const { return descriptor_; }

    bool full() const { return in_flight_ == tickets_.size(); }

    std::size_t in_flight() const { return in_flight_; }

    /// Where the next request is to be appended.
    std::string& out() { return out_; }

    /// What was appended is one request.
    void asked(const Ticket& ticket);

    /// The oldest request that is not answered; taken off. There is one.
    Ticket take_oldest();

    /// Writes what the socket takes. False: the connection is gone.
    bool write();

    bool has_unwritten() const { return written_ < out_.size(); }

    enum class Received {
        answers,  ///< Those given to the handler, perhaps none yet.
        gone,     ///< Closed by the server, or reset.
        broken    ///< The server said something that is no answer to us.
    };

    /// Reads once, into `buffer` (shared by all connections of a thread), and calls
    /// `handler(Ticket, Answer)` for each complete answer.
    template <class Handler>
    Received receive(const Protocol& protocol, std::span<char> buffer, const Handler& handler) {
        std::string_view bytes;
        if (!read_some(buffer, bytes)) {
            return Received::gone;
        }
        while (!bytes.empty()) {
            const ReadAnswer read = protocol.read(bytes);
            if (read.state == ReadAnswer::State::incomplete) {
                break;
            }
            if (read.state == ReadAnswer::State::broken || in_flight_ == 0) {
                return Received::broken;
            }
            bytes.remove_prefix(read.bytes);
            handler(take_oldest(), read.answer);
        }
        keep(bytes);
        return Received::answers;
    }

private:
    bool read_some(std::span<char> buffer, std::string_view& bytes);
    void keep(std::string_view rest);

    int descriptor_ = -1;
    std::string out_;
    std::size_t written_ = 0;
    std::string part_;  ///< The beginning of an answer whose end has not come.
    std::vector<Ticket> tickets_;
    std::size_t oldest_ = 0;
    std::size_t in_flight_ = 0;
};

}  // namespace footfall::load
