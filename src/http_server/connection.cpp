#include "http_server/connection.h"

#include "foundation/log.h"
#include "http_server/problem.h"
#include "runtime/await_callback.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/redirect_error.hpp>

#include <algorithm>
#include <span>
#include <utility>

namespace footfall::http_server {
namespace {

using boost::system::error_code;
using runtime::Task;

/// Answers are written once this much has gathered, so that a client which only sends cannot fill
/// the memory.
constexpr std::size_t output_bytes_max = 256 << 10;
/// Smaller bodies are not worth counting: a connection may keep that much anyway.
constexpr std::size_t free_body_bytes = 128 << 10;
/// So much of what was not asked for is read before closing.
constexpr std::size_t lingered_bytes_max = 1 << 20;
constexpr std::uint64_t linger_ticks = 5;
/// A pause that long is no gap between two requests: the connection's memory is better used by
/// others.
constexpr std::uint64_t release_ticks = 5;

/// A clock that is being set right runs up to a tenth slower than the one of timers: so much before
/// a second begins it counts as begun, or it would begin twice.
constexpr std::chrono::milliseconds second_begun_early{100};

constexpr std::string_view connection_close = "Connection: close\r\n";
constexpr std::string_view connection_keep_alive = "Connection: keep-alive\r\n";

std::uint64_t ticks(std::chrono::seconds duration) {
    return static_cast<std::uint64_t>(duration.count());
}

}  // namespace

Connection::Connection(net::Socket socket, std::string peer, ConnectionSet& set)
    : socket_{std::move(socket)},
      set_{&set},
      parser_{set.context().options->limits},
      body_share_{*set.context().bodies},
      peer_{std::move(peer)} {}

Connection::~Connection() {
    set_->context().connections->leave();
}

void Connection::start() {
    loop_ = run();
    loop_.start();
}

void Connection::ready(net::Readiness readiness) {
    hung_up_ = hung_up_ || readiness.hung_up;
    readable_ = readable_ || readiness.readable;
    if (readiness.writable && writer_) {
        std::exchange(writer_, {})(true);
    }
    if (readable_) {
        read_on();
    }
}

void Connection::read_on() {
    if (reader_ && receive()) {
        std::exchange(reader_, {}).resume();
    }
}

/// Whether there was something: bytes, or the end of them.
bool Connection::receive() {
    const std::span<char> into = input_.free_part();
    received_ = socket_.receive(into);
    readable_ = hung_up_ || received_.bytes == into.size();
    return !received_.would_wait;
}

/// Suspends until bytes have come. If there may be some already it waits for its turn: who sends
/// without end must not keep others waiting.
auto Connection::reading() {
    struct Awaiter {
        Connection* connection;

        bool await_ready() const noexcept { return connection->closed_; }

        void await_suspend(std::coroutine_handle<> loop) const {
            connection->reader_ = loop;
            if (connection->readable_) {
                connection->set_->take_turn(*connection);
            }
        }

        net::Socket::Transfer await_resume() const {
            return connection->closed_ ? net::Socket::Transfer{.failed = true}
                                       : std::exchange(connection->received_, {});
        }
    };

    return Awaiter{this};
}

auto Connection::writable() {
    return net::until_called<bool>([this](auto done) { writer_ = done; });
}

auto Connection::handler() {
    return net::until_called<std::exception_ptr>([this](auto done) {
        boost::asio::co_spawn(set_->executor(), *std::exchange(pending_, {}), done);
    });
}

/// Suspends until gate_decided().
auto Connection::gate() {
    struct Awaiter {
        Connection* connection;

        bool await_ready() const noexcept { return false; }

        void await_suspend(std::coroutine_handle<> loop) const {
            connection->at_gate_ = loop;
            connection->set_->wait_at_gate(connection->output_.held_until(), *connection);
        }

        void await_resume() const noexcept {}
    };

    stop_clock();
    return Awaiter{this};
}

net::Loop<Connection> Connection::run() {
    Step step = Step::read;
    while (step == Step::read && may_read()) {
        if (!take(co_await reading())) {
            break;
        }
        do {
            step = answer_buffered();
            if (output_.held_until() != 0 && !set_->context().gate->open(output_.held_until())) {
                co_await gate();
            }
            settle_held();
            Written written = write_output();
            while (written == Written::some && co_await writable()) {
                written = write_output();
            }
            if (written != Written::all) {
                step = Step::end;
            } else if (step == Step::handle) {
                stop_clock();
                take_outcome(co_await handler());
            }
        } while (step == Step::send || step == Step::handle);
    }
    if (may_linger()) {
        while (!has_lingered(co_await reading())) {
        }
    }
    close();
}

/// Whether there is a reason to read on, and how long the client may take.
bool Connection::may_read() {
    idle_ = !parser_.started() && input_.empty();
    if (closed_ || (idle_ && set_->draining())) {
        return false;
    }
    if (!idle_) {
        if (!pacing_) {
            begin_pace();
        }
    } else if (!released_) {
        const std::uint64_t idle_ticks = ticks(set_->context().options->idle_timeout);
        set_->wheel().set(*this, std::min(idle_ticks, release_ticks));
    }
    return true;
}

/// False: the client is gone, or was cut off.
bool Connection::take(net::Socket::Transfer received) {
    idle_ = false;
    input_.received(received.bytes);
    released_ = false;
    if (pacing_) {
        pace(received.bytes);
    }
    return !received.failed;
}

/// Answers every request that is complete in the buffer.
Connection::Step Connection::answer_buffered() {
    while (!last_) {
        std::size_t taken = 0;
        const RequestParser::State state = parser_.feed(input_.bytes(), taken);
        input_.take(taken);
        if (state == RequestParser::State::failed) {
            refuse(problem(parser_.status(), parser_.problem_type(), parser_.problem()));
        } else if (state == RequestParser::State::need_more && !holds_body()) {
            refuse(problem(503, "overloaded", "too many large bodies arrive; try again later"));
        } else if (state == RequestParser::State::need_more) {
            if (parser_.wants_continue() && !std::exchange(continued_, true)) {
                output_.add("HTTP/1.1 100 Continue\r\n\r\n");
            }
            return Step::read;
        } else {
            answer_one();
        }
        if (pending_) {
            return Step::handle;
        }
        if (output_.size() > output_bytes_max) {
            return Step::send;
        }
    }
    return Step::end;
}

/// Answers the parser's request, or leaves in pending_ what will.
void Connection::answer_one() {
    Request& request = parser_.request();
    request.peer = peer_;
    const Router& router = *set_->context().router;
    if (request.known.hosts > 1 || (request.known.hosts == 0 && parser_.is_http_1_1())) {
        response_ = problem(400, "malformed-request", "a request has one Host header", "Host");
    } else if (const Handler* const found = router.find(request)) {
        call(*found);
    } else if (const std::string allowed = router.allowed(request.path); !allowed.empty()) {
        response_ = problem(405, "method-not-allowed", "this path answers " + allowed);
        response_.headers.emplace_back("Allow", allowed);
    } else {
        response_ = problem(
            404, "not-found", "there is nothing at this path; the API is described at /openapi.json"
        );
    }
    if (!pending_) {
        finish_answer();
    }
}

void Connection::call(const Handler& handler) {
    try {
        pending_ = handler(*this);
    } catch (...) {
        answer_failure(std::current_exception());
    }
}

/// A handler that was waited for has ended.
void Connection::take_outcome(const std::exception_ptr& failure) {
    if (failure) {
        answer_failure(failure);
    }
    finish_answer();
}

/// What a handler threw stays here: the request is answered, others go on.
void Connection::answer_failure(const std::exception_ptr& failure) {
    try {
        std::rethrow_exception(failure);
    } catch (const std::exception& error) {
        log(LogLevel::error, "a request to {} failed: {}", request().path, error.what());
    } catch (...) {
        log(LogLevel::error, "a request to {} failed", request().path);
    }
    if (streaming_) {
        close();  // with its end missing, the client knows that the answer is not whole
    } else {
        response_ = problem(500, "internal-error", "the request could not be processed");
    }
}

void Connection::finish_answer() {
    const bool head_only = request().method == Method::head;
    const bool is_http_1_1 = parser_.is_http_1_1();
    last_ = streaming_ || !parser_.keep_alive() || set_->draining();
    if (streaming_) {
        output_.add(is_http_1_1 && !head_only ? "0\r\n\r\n" : "");
    } else {
        const std::string_view connection = last_         ? connection_close
                                            : is_http_1_1 ? std::string_view{}
                                                          : connection_keep_alive;
        const Form form{.head_only = head_only, .connection = connection};
        output_.add_answer(response_, form, set_->common_lines());
    }
    ++answered_;
    response_.clear();
    parser_.reset();
    body_share_.hold(0);
    streaming_ = false;
    continued_ = false;
    pacing_ = false;
}

/// Whether what has arrived of a body may be kept until the rest is there.
bool Connection::holds_body() {
    return body_share_.hold(budgeted_bytes());
}

std::size_t Connection::budgeted_bytes() const {
    const std::size_t bytes = parser_.body_bytes();
    return bytes > free_body_bytes ? bytes : 0;
}

/// Answers a request that cannot be read to its end.
void Connection::refuse(const Response& response) {
    const Form form{.head_only = false, .connection = connection_close};
    output_.add_answer(response, form, set_->common_lines());
    parser_.reset();
    parser_.release();
    body_share_.hold(0);
    refused_ = true;
    last_ = true;
}

void Connection::settle_held() {
    if (output_.held_until() != 0) {
        const ConnectionContext& context = set_->context();
        output_.settle(*context.gate, context.options->outcome_unknown, set_->common_lines());
    }
}

/// Sends as much as the system takes.
Connection::Written Connection::write_output() {
    if (answered_ > 0) {
        set_->context().requests.add(std::exchange(answered_, 0));
    }
    while (!output_.empty()) {
        const net::Socket::Transfer sent = socket_.send(output_.unsent());
        if (sent.failed) {
            return Written::failed;
        }
        if (sent.would_wait) {
            if (!std::exchange(blocked_, true)) {
                begin_pace();
            }
            return Written::some;
        }
        output_.sent(sent.bytes);
        if (blocked_) {
            pace(sent.bytes);
        }
    }
    if (std::exchange(blocked_, false)) {
        pacing_ = false;
    }
    return Written::all;
}

/// Whether unread bytes are on their way: closing now would reset the connection, and the client
/// might never see the answer.
bool Connection::may_linger() {
    if (closed_ || !(refused_ || !input_.empty() || socket_.available() > 0)) {
        return false;
    }
    socket_.end_sending();
    set_->wheel().set(*this, linger_ticks);
    input_.take(input_.bytes().size());
    return true;
}

bool Connection::has_lingered(net::Socket::Transfer received) {
    lingered_bytes_ += received.bytes;
    return received.failed || lingered_bytes_ >= lingered_bytes_max;
}

/// From here on the client has request_timeout for the next request_bytes_min bytes.
void Connection::begin_pace() {
    pacing_ = true;
    paced_bytes_ = 0;
    set_->wheel().set(*this, ticks(set_->context().options->request_timeout));
}

void Connection::pace(std::size_t bytes) {
    paced_bytes_ += bytes;
    if (paced_bytes_ >= set_->context().options->request_bytes_min) {
        begin_pace();
    }
}

/// What is waited for is not the client's business.
void Connection::stop_clock() {
    pacing_ = false;
    net::TimerWheel::clear(*this);
}

void Connection::give_memory_back() {
    input_.release();
    output_.release();
    parser_.release();
    std::string{}.swap(response_.body);
    std::string{}.swap(scratch_);
}

void Connection::deadline_passed() {
    const std::uint64_t idle_ticks = ticks(set_->context().options->idle_timeout);
    if (idle_ && !released_ && idle_ticks > release_ticks) {
        released_ = true;
        set_->wheel().set(*this, idle_ticks - release_ticks);
        give_memory_back();
        return;
    }
    close();
}

void Connection::gate_decided() {
    std::exchange(at_gate_, {}).resume();
}

Task<bool> Connection::send_part(std::string part) {
    const bool head_only = request().method == Method::head;
    const bool is_http_1_1 = parser_.is_http_1_1();
    if (!std::exchange(streaming_, true)) {
        output_.add_head(response_, connection_close, set_->common_lines());
        output_.add(is_http_1_1 ? "Transfer-Encoding: chunked\r\n\r\n" : "\r\n");
    }
    if (!head_only && !part.empty()) {  // an empty chunk would be the last
        if (is_http_1_1) {
            output_.add_chunk(part);
        } else {
            output_.add(part);
        }
    }
    const auto wait = [this](Done done) { writer_ = std::move(done); };
    Written written = write_output();
    while (written == Written::some && co_await runtime::await_callback<bool>(wait)) {
        written = write_output();
    }
    stop_clock();
    co_return written == Written::all && !head_only && !set_->draining();
}

Task<bool> Connection::next_second() {
    if (closed_ || set_->draining()) {
        co_return false;
    }
    Timer timer{set_->executor()};
    const auto now = std::chrono::system_clock::now();
    const auto boundary = std::chrono::ceil<std::chrono::seconds>(now + second_begun_early);
    timer.expires_after(boundary - now);
    pause_ = &timer;
    error_code error;
    co_await timer.async_wait(boost::asio::redirect_error(runtime::use_task, error));
    pause_ = nullptr;
    co_return !closed_ && !set_->draining();
}

void Connection::drain() {
    if (idle_ && socket_.available() == 0) {
        end_waiting();  // it finds that there is no reason to read on
    }
    if (pause_ != nullptr) {
        pause_->cancel();
    }
}

void Connection::close() {
    if (std::exchange(closed_, true)) {
        return;
    }
    stop_clock();
    if (pause_ != nullptr) {
        pause_->cancel();
    }
    socket_.close();
    end_waiting();
}

/// Who waits for the client goes on, and finds out why.
void Connection::end_waiting() {
    if (writer_) {
        std::exchange(writer_, {})(false);
    }
    if (reader_) {
        std::exchange(reader_, {}).resume();
    }
}

}  // namespace footfall::http_server
