#pragma once

#include "http_server/connection_count.h"
#include "http_server/router.h"
#include "http_server/server.h"

#include <boost/asio/basic_stream_socket.hpp>
#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/ip/tcp.hpp>

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace footfall::http_server {

using Socket = boost::asio::basic_stream_socket<boost::asio::ip::tcp, runtime::IoExecutor>;
using Timer = boost::asio::basic_waitable_timer<
    std::chrono::steady_clock,
    boost::asio::wait_traits<std::chrono::steady_clock>,
    runtime::IoExecutor>;

/// What the connections of a server share.
struct ConnectionContext {
    const Router* router;
    Gate* gate;
    std::shared_ptr<const ServerOptions> options;
    metrics::Counter requests;
    std::shared_ptr<ConnectionCount> connections;
};

class Connection;

/// The connections of one io thread, with the thread's timer: one tick a second closes what has
/// waited too long, instead of one timer an operation. Used on that thread only.
class ConnectionSet {
public:
    ConnectionSet(const runtime::IoExecutor& executor, ConnectionContext context);
    ConnectionSet(const ConnectionSet&) = delete;
    ConnectionSet& operator=(const ConnectionSet&) = delete;
    ~ConnectionSet();

    const ConnectionContext& context() const { return context_; }

    const runtime::IoExecutor& executor() const { return executor_; }

    /// Seconds since the set was made.
    std::uint64_t tick() const { return tick_; }

    /// The Date header's value, made once a second.
    const std::string& date() const { return date_; }

    bool draining() const { return draining_; }

    void add(Connection* connection) { connections_.insert(connection); }

    void remove(Connection* connection) { connections_.erase(connection); }

    /// `stop_accepting` is called when draining starts.
    void keep_acceptor(std::function<void()> stop_accepting) {
        stop_accepting_ = std::move(stop_accepting);
    }

    /// Accepts no more, ends the connections that wait for a request and the streams, and has the
    /// others close after their answer.
    void start_draining();

    /// Cuts every connection.
    void close_all();

    /// Ends when nobody else holds the set.
    static runtime::Task<> run_ticks(std::weak_ptr<ConnectionSet> self);

private:
    const runtime::IoExecutor executor_;
    const ConnectionContext context_;
    Timer timer_;
    std::unordered_set<Connection*> connections_;
    std::uint64_t tick_ = 0;
    std::string date_;
    std::function<void()> stop_accepting_;
    bool draining_ = false;
};

/// One client: the loop "read once, answer every complete request in the buffer, write once". Lives
/// on its io thread, as long as its coroutine runs.
class Connection final : public Exchange {
public:
    Connection(Socket socket, std::shared_ptr<ConnectionSet> set);
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;
    ~Connection() override;

    /// Serves requests until the client or a limit ends it. `self` keeps the connection alive
    /// meanwhile.
    static runtime::Task<> run(std::shared_ptr<Connection> self);

    const Request& request() const override { return parser_.request(); }

    Response& response() override { return response_; }

    runtime::Task<bool> send_part(std::string part) override;
    runtime::Task<bool> next_second() override;

    /// Closes if its deadline has passed. Called once a second.
    void check_deadline();
    void drain();
    void close();

private:
    /// What an answer owes to its request.
    struct Form {
        bool head_only;
        std::string_view connection;  ///< The Connection header, if one is needed.
    };

    /// An answer in `output_` that may only leave once the gate is open.
    struct Held {
        std::size_t start;
        std::size_t end;
        std::uint64_t position;
        Form form;
    };

    runtime::Task<bool> answer_buffered();
    runtime::Task<bool> answer_one();
    runtime::Task<bool> flush();
    runtime::Task<bool> open_gate();
    runtime::Task<bool> write_output();
    runtime::Task<bool> read_more();
    runtime::Task<> linger();
    void refuse();
    void append_head(const Response& response, std::string_view connection);
    void append_answer(const Response& response, Form form);
    void replace_unknown(const std::vector<bool>& opened);
    void set_deadline(std::chrono::seconds timeout);
    bool has_unread_input() const;

    Socket socket_;
    std::shared_ptr<ConnectionSet> set_;
    RequestParser parser_;
    std::string peer_;
    /// Bytes received and not yet taken by the parser: [taken_, input_.size()). Bounded by what the
    /// parser leaves untaken and one read.
    std::string input_;
    std::size_t taken_ = 0;
    std::string output_;
    std::vector<Held> held_;
    Response response_;
    std::uint64_t deadline_tick_ = 0;  ///< 0: waits for nothing that the client has to do.
    Timer* pause_ = nullptr;           ///< What next_second() waits for.
    bool idle_ = false;                ///< Waits for the first byte of a request.
    bool streaming_ = false;           ///< send_part() has begun an answer.
    bool continued_ = false;           ///< "100 Continue" was sent for the current request.
    bool refused_ = false;             ///< The last answer refuses a request that cannot be read.
    bool closed_ = false;
};

}  // namespace footfall::http_server
