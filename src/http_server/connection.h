#pragma once

#include "http_server/connection_set.h"
#include "http_server/output.h"
#include "http_server/request_parser.h"
#include "http_server/router.h"
#include "net/input_buffer.h"
#include "net/loop.h"
#include "net/memory_budget.h"
#include "net/ready_poll.h"
#include "net/socket.h"
#include "net/timer_wheel.h"

#include <coroutine>
#include <cstddef>
#include <exception>
#include <functional>
#include <optional>
#include <string>

namespace footfall::http_server {

/// One client: the loop "read once, answer every complete request in the buffer, write once".
/// Answering is a plain function; the loop waits only to read, for a client that is slow to take an
/// answer, for the gate, or for a handler that waits itself. Owned by its set; one io thread.
///
/// A client is given request_timeout for each request_bytes_min bytes of a request or an answer, so
/// a trickle holds nothing for ever, and loses its buffers while it is idle.
class Connection final : public Exchange,
                         public net::ReadyPoll::Watcher,
                         public net::TimerWheel::Entry {
public:
    Connection(net::Socket socket, std::string peer, ConnectionSet& set);
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;
    ~Connection() override;

    /// Serves requests until the client or a limit ends it; then has the set retire it.
    void start();

    const net::Socket& socket() const { return socket_; }

    void ready(net::Readiness readiness) override;

    /// Its turn to read on, for which it asked (ConnectionSet::take_turn).
    void read_on();

    void loop_ended() noexcept { set_->retire(*this); }

    const Request& request() const override { return parser_.request(); }

    Response& response() override { return response_; }

    std::string& scratch() override { return scratch_; }

    runtime::Task<bool> send_part(std::string part) override;
    runtime::Task<bool> next_second() override;

    /// What the set tells its connections.
    void deadline_passed();
    void gate_decided();
    void drain();
    void close();

    /// What the body that is arriving takes of the budget for all: counted anew, not what is
    /// booked.
    std::size_t budgeted_bytes() const;

private:
    /// Why answering stopped.
    enum class Step {
        read,    ///< No complete request is left: read on.
        send,    ///< Much has gathered: send it, then go on answering.
        handle,  ///< A handler waits, in pending_: send what was answered before, then wait for it.
        end,     ///< What had to be said was said: send it and close.
    };
    enum class Written { all, some, failed };

    using Done = std::move_only_function<void(bool)>;

    net::Loop<Connection> run();

    auto reading();
    auto gate();
    auto handler();
    auto writable();

    bool receive();
    void end_waiting();
    bool may_read();
    bool take(net::Socket::Transfer received);
    Step answer_buffered();
    void answer_one();
    void call(const Handler& handler);
    void take_outcome(const std::exception_ptr& failure);
    void answer_failure(const std::exception_ptr& failure);
    void finish_answer();
    void refuse(const Response& response);
    bool holds_body();
    void settle_held();
    Written write_output();
    bool may_linger();
    bool has_lingered(net::Socket::Transfer received);
    void begin_pace();
    void pace(std::size_t bytes);
    void stop_clock();
    void give_memory_back();

    net::Socket socket_;
    ConnectionSet* set_;
    RequestParser parser_;
    net::MemoryBudget::Share body_share_;
    net::InputBuffer input_;
    Output output_;
    Response response_;
    std::string scratch_;
    std::string peer_;
    std::optional<runtime::Task<>> pending_;
    std::coroutine_handle<> reader_;   ///< The loop, while it waits for bytes.
    net::Socket::Transfer received_;   ///< What it then gets.
    Done writer_;                      ///< Waits until the client takes more; true: it may.
    std::coroutine_handle<> at_gate_;  ///< The loop, while it waits there.
    Timer* pause_ = nullptr;           ///< What next_second() waits for.
    std::size_t paced_bytes_ = 0;      ///< Sent or taken by the client since begin_pace().
    std::size_t lingered_bytes_ = 0;
    unsigned answered_ = 0;   ///< Requests answered, not counted yet.
    bool readable_ = false;   ///< There may be more to read.
    bool hung_up_ = false;    ///< It stays so: the client sends no more.
    bool pacing_ = false;     ///< A request has begun to arrive, and its time runs.
    bool blocked_ = false;    ///< The client is slow to take the output, and its time runs.
    bool idle_ = false;       ///< Waits for the first byte of a request.
    bool released_ = false;   ///< Has waited for it so long that its memory was given back.
    bool streaming_ = false;  ///< send_part() has begun an answer.
    bool continued_ = false;  ///< "100 Continue" was sent for the current request.
    bool last_ = false;       ///< No request is answered any more.
    bool refused_ = false;    ///< The last answer refuses a request that cannot be read.
    bool closed_ = false;
    net::Loop<Connection> loop_;
};

}  // namespace footfall::http_server
