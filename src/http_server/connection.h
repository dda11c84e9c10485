#pragma once

#include "http_server/http_protocol.h"
#include "http_server/output.h"
#include "http_server/request_parser.h"
#include "http_server/router.h"
#include "net/connection.h"
#include "net/loop.h"
#include "net/memory_budget.h"

#include <chrono>
#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

namespace footfall::http_server {

/// One client, to whom every complete request in the buffer is answered before anything is sent.
/// Answering is a plain function; the loop waits only to read, for a client that is slow to take an
/// answer, for the gate, or for a handler that waits itself. Owned by its set; one io thread.
class Connection final : public Exchange, public net::Connection {
public:
    Connection(
        net::Socket socket, std::string peer, net::ConnectionSet& set, const HttpProtocol& protocol
    );

    /// Serves requests until the client or a limit ends it.
    void start() override;

    const Request& request() const override { return parser_.request(); }

    Response& response() override { return response_; }

    std::string& scratch() override { return scratch_; }

    runtime::Task<bool> send_part(std::string part) override;
    runtime::Task<bool> next_second() override;
    std::function<void()> waker() override;
    std::stop_token client_left() override;

    /// What is to be booked of the memory for all, counted anew.
    std::size_t counted_bytes() const;

private:
    /// Why answering stopped.
    enum class Step {
        read,    ///< No complete request is left: read on.
        send,    ///< Much has gathered: send it, then go on answering.
        handle,  ///< A handler waits, in pending_: send what was answered before, then wait for it.
        end,     ///< What had to be said was said: send it and close.
    };

    net::Loop<Connection> run();

    auto handler();

    const std::shared_ptr<net::Timer>& pause();

    void give_memory_back() override;
    void end_pause() override;

    void end_work() override { left_.request_stop(); }

    Step answer_buffered();
    std::optional<Response> refusal();
    std::optional<Response> refuse_arriving();
    void answer_one();
    void call(const Handler& handler);
    void take_outcome(const std::exception_ptr& failure);
    void answer_failure(const std::exception_ptr& failure);
    void finish_answer();
    void refuse(const Response& response);
    bool make_room();
    bool holds_request(std::size_t more = 0);
    bool holds_answer(std::size_t more = 0);
    bool holds_memory();
    std::size_t request_bytes() const;
    std::size_t answer_bytes() const;
    void rest();
    void settle_held();
    void count_error(int status);
    Written write_output();

    const HttpProtocol* http_;
    RequestParser parser_;
    net::MemoryBudget::Share request_share_;
    net::MemoryBudget::Share answer_share_;
    Output output_;
    Response response_;
    std::string scratch_;
    std::string peer_;
    const Endpoint* endpoint_ =
        nullptr;  ///< That has let in the request that is arriving or handled.
    Door door_ =
        Door::open;  ///< By which the last request came in; the next one, before it is known.
    std::optional<runtime::Task<>> pending_;
    std::shared_ptr<net::Timer> pause_;  ///< What next_second() waits for; null: nobody asked.
    std::stop_source left_{std::nostopstate};  ///< Of client_left(), once that was asked for.
    std::chrono::sys_seconds begun_;           ///< The last second that next_second() saw begin.
    unsigned answered_ = 0;                    ///< Requests answered, not counted yet.
    bool streaming_ = false;                   ///< send_part() has begun an answer.
    bool continued_ = false;                   ///< "100 Continue" was sent for the current request.
    bool last_ = false;                        ///< No request is answered any more.
    bool refused_ = false;                     ///< The last answer refuses what cannot be read.
    net::Loop<Connection> loop_;
};

}  // namespace footfall::http_server
