#pragma once

#include "http_server/router.h"
#include "http_server/server.h"
#include "metrics/metrics.h"
#include "net/connection_count.h"
#include "net/gate.h"
#include "net/memory_budget.h"
#include "net/ready_poll.h"
#include "net/socket.h"
#include "net/timer_wheel.h"

#include <boost/asio/basic_waitable_timer.hpp>

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace footfall::http_server {

using Timer = boost::asio::basic_waitable_timer<
    std::chrono::steady_clock,
    boost::asio::wait_traits<std::chrono::steady_clock>,
    runtime::IoExecutor>;

/// What the connections of a server share.
struct ConnectionContext {
    const Router* router;
    net::Gate* gate;
    std::shared_ptr<const ServerOptions> options;
    metrics::Counter requests;
    std::shared_ptr<net::ConnectionCount> connections;
    std::shared_ptr<net::MemoryBudget> bodies;
};

class Connection;

/// The connections of one io thread, which it owns, with what they share there: the tick of a
/// second that closes what has waited too long, and the one question to the gate that all who wait
/// for it share. Belongs to run_ticks(), and so to the io_context; used on its thread only.
class ConnectionSet : public std::enable_shared_from_this<ConnectionSet> {
public:
    ConnectionSet(
        const runtime::IoExecutor& executor,
        std::unique_ptr<net::ReadyPoll> poll,
        ConnectionContext context
    );
    ConnectionSet(const ConnectionSet&) = delete;
    ConnectionSet& operator=(const ConnectionSet&) = delete;
    ~ConnectionSet();

    const ConnectionContext& context() const { return context_; }

    const runtime::IoExecutor& executor() const { return executor_; }

    net::TimerWheel& wheel() { return wheel_; }

    /// See common_lines(): of this second.
    const std::string& common_lines() const { return common_lines_; }

    bool draining() const { return draining_; }

    /// Serves a client that was counted in the context's `connections`.
    void admit(net::Socket socket, std::string peer);

    /// Has the connection read on, later, once others had their turn.
    void take_turn(Connection& connection);

    /// Destroys a connection, not within the call.
    void retire(Connection& connection);

    /// Has the connection told, later, when `position` is decided. One connection waits for one
    /// position at a time.
    void wait_at_gate(std::uint64_t position, Connection& connection);

    /// `stop_accepting` is called when draining starts.
    void keep_acceptor(std::function<void()> stop_accepting) {
        stop_accepting_ = std::move(stop_accepting);
    }

    /// Accepts no more, ends the connections that wait for a request and the streams, and has the
    /// others close after their answer.
    void start_draining();

    /// Cuts every connection.
    void close_all();

    /// What the bodies that are arriving take of the budget for all, counted anew.
    std::size_t budgeted_bytes() const;

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
    std::vector<Connection*> all() const;

    const runtime::IoExecutor executor_;
    const std::unique_ptr<net::ReadyPoll> poll_;
    const ConnectionContext context_;
    Timer timer_;
    net::TimerWheel wheel_;
    std::string common_lines_;
    std::vector<Connection*> turns_;  ///< Who waits for a turn; then give_turns() is on its way.
    std::vector<Waiting> waiting_;    ///< At the gate: a heap, the lowest position first.
    std::vector<Connection*> told_;   ///< Memory of gate_decided(), empty outside of it.
    std::optional<std::uint64_t> asked_;  ///< The lowest position the gate was asked about.
    bool will_ask_ = false;               ///< ask_for_lowest() is on its way.
    std::function<void()> stop_accepting_;
    bool draining_ = false;
    std::unordered_map<Connection*, std::unique_ptr<Connection>> connections_;
};

}  // namespace footfall::http_server
