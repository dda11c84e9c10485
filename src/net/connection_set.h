#pragma once

#include "net/connection_count.h"
#include "net/gate.h"
#include "net/patience.h"
#include "net/protocol.h"
#include "net/ready_poll.h"
#include "net/socket.h"
#include "net/timer_wheel.h"
#include "runtime/io_threads.h"

#include <boost/asio/basic_waitable_timer.hpp>

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace footfall::net {

using Timer = boost::asio::basic_waitable_timer<
    std::chrono::steady_clock,
    boost::asio::wait_traits<std::chrono::steady_clock>,
    runtime::IoExecutor>;

/// What the connections of all io threads of a server share.
struct ConnectionContext {
    std::shared_ptr<ConnectionCount> connections;
    Gate* gate;  ///< Null if no connection ever waits there.
    Patience patience;
};

class Connection;

/// The connections of one io thread, which it owns, with what they share there: the tick of a
/// second that closes what has waited too long, and the one question to the gate that all who wait
/// for it share. Belongs to run_ticks(), and so to the io_context; used on its thread only.
class ConnectionSet : public std::enable_shared_from_this<ConnectionSet> {
public:
    ConnectionSet(
        const runtime::IoExecutor& executor,
        std::unique_ptr<ReadyPoll> poll,
        std::unique_ptr<Protocol> protocol,
        ConnectionContext context
    );
    ConnectionSet(const ConnectionSet&) = delete;
    ConnectionSet& operator=(const ConnectionSet&) = delete;
    ~ConnectionSet();

    const ConnectionContext& context() const { return context_; }

    Protocol& protocol() { return *protocol_; }

    const runtime::IoExecutor& executor() const { return executor_; }

    TimerWheel& wheel() { return wheel_; }

    bool draining() const { return draining_; }

    /// Serves a client that was counted in the context's `connections`.
    void admit(Socket socket, std::string peer);

    /// Has the connection read on, later, once others had their turn.
    void take_turn(Connection& connection);

    /// Before a connection closes its socket.
    void stop_watching(const Socket& socket) { poll_->unwatch(socket); }

    /// Destroys a connection, not within the call.
    void retire(Connection& connection);

    /// Has the connection told, later, when `position` is decided. One connection waits for one
    /// position at a time.
    void wait_at_gate(std::uint64_t position, Connection& connection);

    /// `stop_accepting` is called when draining starts.
    void keep_acceptor(std::function<void()> stop_accepting) {
        stop_accepting_ = std::move(stop_accepting);
    }

    /// Accepts no more, ends the connections that wait for a request and the pauses of the others
    /// (Connection::end_pause), and has those close after their answer.
    void start_draining();

    /// Cuts every connection.
    void close_all();

    /// Those that are there now, of the type that the protocol makes.
    std::vector<Connection*> all() const;

    /// Owns the set until it has drained and its last connection is gone, or the io_context ends.
    static runtime::Task<> run_ticks(std::shared_ptr<ConnectionSet> self);

private:
    struct Waiting {
        std::uint64_t position;
        Connection* connection;

        bool operator>(const Waiting& other) const { return position > other.position; }
    };

    void give_turns();
    void ask_for_lowest();
    void ask_gate(std::uint64_t position);
    void gate_decided(std::uint64_t position);

    const runtime::IoExecutor executor_;
    const std::unique_ptr<ReadyPoll> poll_;
    const std::unique_ptr<Protocol> protocol_;
    const ConnectionContext context_;
    Timer timer_;
    TimerWheel wheel_;
    std::vector<Connection*> turns_;  ///< Who waits for a turn; then give_turns() is on its way.
    std::vector<Waiting> waiting_;    ///< At the gate: a heap, the lowest position first.
    std::vector<Connection*> told_;   ///< Memory of gate_decided(), empty outside of it.
    std::optional<std::uint64_t> asked_;  ///< The lowest position the gate was asked about.
    bool will_ask_ = false;               ///< ask_for_lowest() is on its way.
    std::function<void()> stop_accepting_;
    bool draining_ = false;
    std::unordered_map<Connection*, std::unique_ptr<Connection>> connections_;
};

}  // namespace footfall::net
