#include "http_server/connection.h"

#include "http_server/problem.h"
#include "runtime/await_callback.h"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace footfall::http_server {
namespace {

using boost::system::error_code;
using runtime::Task;
using Token = boost::asio::use_awaitable_t<runtime::IoExecutor>;

constexpr Token use_task;
constexpr std::size_t read_bytes = 16 << 10;
/// Answers are written once this much has gathered, so that a client which only sends cannot fill
/// the memory.
constexpr std::size_t output_bytes_max = 256 << 10;
/// A connection that has nothing to send keeps no more memory for it.
constexpr std::size_t kept_output_bytes = 64 << 10;
/// So much of what was not asked for is read before closing.
constexpr std::size_t lingered_bytes_max = 1 << 20;
constexpr std::chrono::seconds linger_timeout{5};

constexpr std::string_view connection_close = "Connection: close\r\n";

void release_if_large(std::string& text) {
    if (text.capacity() > kept_output_bytes) {
        std::string{}.swap(text);
    }
}

std::string http_date() {
    return fmt::format("{:%a, %d %b %Y %H:%M:%S GMT}", fmt::gmtime(std::time(nullptr)));
}

}  // namespace

ConnectionSet::ConnectionSet(const runtime::IoExecutor& executor, ConnectionContext context)
    : executor_{executor}, context_{std::move(context)}, timer_{executor}, date_{http_date()} {}

ConnectionSet::~ConnectionSet() = default;

Task<> ConnectionSet::run_ticks(std::weak_ptr<ConnectionSet> self) {
    while (const std::shared_ptr<ConnectionSet> set = self.lock()) {
        set->timer_.expires_after(std::chrono::seconds{1});
        error_code error;
        co_await set->timer_.async_wait(boost::asio::redirect_error(use_task, error));
        ++set->tick_;
        set->date_ = http_date();
        const std::vector<Connection*> all{set->connections_.begin(), set->connections_.end()};
        for (Connection* connection : all) {
            connection->check_deadline();
        }
    }
}

void ConnectionSet::start_draining() {
    draining_ = true;
    stop_accepting_();
    const std::vector<Connection*> all{connections_.begin(), connections_.end()};
    for (Connection* connection : all) {
        connection->drain();
    }
}

void ConnectionSet::close_all() {
    const std::vector<Connection*> all{connections_.begin(), connections_.end()};
    for (Connection* connection : all) {
        connection->close();
    }
}

Connection::Connection(Socket socket, std::shared_ptr<ConnectionSet> set)
    : socket_{std::move(socket)}, set_{std::move(set)}, parser_{set_->context().options->limits} {
    error_code error;
    const auto remote = socket_.remote_endpoint(error);
    peer_ = error ? std::string{} : remote.address().to_string();
    socket_.set_option(boost::asio::ip::tcp::no_delay{true}, error);
    set_->add(this);
}

Connection::~Connection() {
    set_->remove(this);
    set_->context().connections->leave();
}

Task<> Connection::run(std::shared_ptr<Connection> self) {
    while (co_await self->read_more() && co_await self->answer_buffered() && co_await self->flush()
    ) {
    }
    if (!self->closed_ && self->has_unread_input()) {
        co_await self->linger();
    }
    self->close();
}

/// Answers every request that is complete in the buffer. False: the connection is done; what had to
/// be said was said.
Task<bool> Connection::answer_buffered() {
    for (;;) {
        std::size_t taken = 0;
        const std::string_view fresh = std::string_view{input_}.substr(taken_);
        const RequestParser::State state = parser_.feed(fresh, taken);
        taken_ += taken;
        if (state == RequestParser::State::failed) {
            refuse();
            co_await flush();
            co_return false;
        }
        if (state == RequestParser::State::need_more) {
            if (parser_.wants_continue() && !std::exchange(continued_, true)) {
                output_ += "HTTP/1.1 100 Continue\r\n\r\n";
            }
            co_return true;
        }
        if (!co_await answer_one()) {
            co_return false;
        }
        if (output_.size() > output_bytes_max && !co_await flush()) {
            co_return false;
        }
    }
}

/// Answers the parser's request. False: the connection is done.
Task<bool> Connection::answer_one() {
    Request& request = parser_.request();
    request.peer = peer_;
    const bool head_only = request.method == Method::head;
    response_ = Response{};
    streaming_ = false;
    const Router::Match match = set_->context().router->find(request);
    if (match.handler != nullptr) {
        std::optional<Task<>> pending = (*match.handler)(*this);
        if (pending) {
            // What was answered before must not wait for this one.
            if (!co_await flush()) {
                co_return false;
            }
            co_await *std::move(pending);
        }
    } else if (!match.allowed.empty()) {
        response_ = problem(405, "method-not-allowed", "this path answers " + match.allowed);
        response_.headers.emplace_back("Allow", match.allowed);
    } else {
        response_ = problem(
            404, "not-found", "there is nothing at this path; the API is described at /openapi.json"
        );
    }
    set_->context().requests.add();
    if (streaming_) {
        output_ += !head_only && parser_.is_http_1_1() ? "0\r\n\r\n" : "";
        co_await flush();
        co_return false;
    }
    const bool keep_alive = parser_.keep_alive() && !set_->draining();
    const std::string_view connection = !keep_alive             ? connection_close
                                        : parser_.is_http_1_1() ? ""
                                                                : "Connection: keep-alive\r\n";
    append_answer(response_, {.head_only = head_only, .connection = connection});
    release_if_large(response_.body);
    parser_.reset();
    continued_ = false;
    if (!keep_alive) {
        co_await flush();
    }
    co_return keep_alive;
}

/// Sends what was answered, once the gate lets it.
Task<bool> Connection::flush() {
    if (output_.empty()) {
        co_return true;
    }
    if (!held_.empty() && !co_await open_gate()) {
        co_return false;
    }
    co_return co_await write_output();
}

Task<bool> Connection::open_gate() {
    Gate* const gate = set_->context().gate;
    std::vector<bool> opened;
    opened.reserve(held_.size());
    bool all_open = true;
    for (const Held& held : held_) {
        bool open = gate->open(held.position);
        if (!open) {
            auto wait = [gate, position = held.position](std::move_only_function<void(bool)> done) {
                gate->when_open(position, std::move(done));
            };
            open = co_await runtime::await_callback<bool>(std::move(wait));
        }
        opened.push_back(open);
        all_open = all_open && open;
    }
    if (!all_open) {
        replace_unknown(opened);
    }
    held_.clear();
    co_return !closed_;
}

/// Puts "outcome unknown" in the place of each answer whose gate did not open.
void Connection::replace_unknown(const std::vector<bool>& opened) {
    const std::string old_output = std::exchange(output_, {});
    std::size_t copied = 0;
    for (std::size_t index = 0; index < held_.size(); ++index) {
        const Held& held = held_[index];
        if (opened[index]) {
            continue;
        }
        output_.append(old_output, copied, held.start - copied);
        append_answer(set_->context().options->outcome_unknown(), held.form);
        copied = held.end;
    }
    output_.append(old_output, copied);
}

Task<bool> Connection::write_output() {
    error_code error;
    for (std::size_t sent = 0; sent < output_.size() && !error;) {
        set_deadline(set_->context().options->request_timeout);
        const auto rest = boost::asio::buffer(output_) + sent;
        sent +=
            co_await socket_.async_write_some(rest, boost::asio::redirect_error(use_task, error));
    }
    deadline_tick_ = 0;
    output_.clear();
    release_if_large(output_);
    co_return !error;
}

Task<bool> Connection::read_more() {
    const bool between_requests = !parser_.started() && taken_ == input_.size();
    if (set_->draining() && between_requests) {
        co_return false;
    }
    const ServerOptions& options = *set_->context().options;
    set_deadline(between_requests ? options.idle_timeout : options.request_timeout);
    input_.erase(0, std::exchange(taken_, 0));
    const std::size_t kept = input_.size();
    input_.resize(kept + read_bytes);
    idle_ = between_requests;
    error_code error;
    const auto free_part = boost::asio::buffer(input_.data() + kept, read_bytes);
    const std::size_t received =
        co_await socket_.async_read_some(free_part, boost::asio::redirect_error(use_task, error));
    idle_ = false;
    deadline_tick_ = 0;
    input_.resize(kept + received);
    co_return !error;
}

/// Answers a request that cannot be read.
void Connection::refuse() {
    refused_ = true;
    const std::string_view type = parser_.status() == 413   ? "body-too-large"
                                  : parser_.status() == 431 ? "header-too-large"
                                                            : "malformed-request";
    append_answer(
        problem(parser_.status(), type, parser_.problem()),
        {.head_only = false, .connection = connection_close}
    );
}

bool Connection::has_unread_input() const {
    error_code error;
    return refused_ || taken_ < input_.size() || socket_.available(error) > 0;
}

/// Reads on a little after the last answer: closing with unread bytes resets the connection, and
/// the client may never see the answer.
Task<> Connection::linger() {
    error_code error;
    socket_.shutdown(Socket::shutdown_send, error);
    set_deadline(linger_timeout);
    input_.resize(read_bytes);
    for (std::size_t lingered = 0; lingered < lingered_bytes_max && !error;) {
        const auto buffer = boost::asio::buffer(input_);
        lingered +=
            co_await socket_.async_read_some(buffer, boost::asio::redirect_error(use_task, error));
    }
}

Task<bool> Connection::send_part(std::string part) {
    const bool head_only = request().method == Method::head;
    if (!std::exchange(streaming_, true)) {
        append_head(response_, connection_close);
        output_ += parser_.is_http_1_1() ? "Transfer-Encoding: chunked\r\n\r\n" : "\r\n";
    }
    if (!head_only && !part.empty()) {  // an empty chunk would be the last
        if (parser_.is_http_1_1()) {
            fmt::format_to(std::back_inserter(output_), "{:x}\r\n{}\r\n", part.size(), part);
        } else {
            output_ += part;
        }
    }
    const bool sent = co_await flush();
    co_return sent && !head_only && !set_->draining();
}

Task<bool> Connection::next_second() {
    if (closed_ || set_->draining()) {
        co_return false;
    }
    Timer timer{set_->executor()};
    const auto now = std::chrono::system_clock::now();
    const auto boundary =
        std::chrono::ceil<std::chrono::seconds>(now + std::chrono::milliseconds{1});
    timer.expires_after(boundary - now);
    pause_ = &timer;
    error_code error;
    co_await timer.async_wait(boost::asio::redirect_error(use_task, error));
    pause_ = nullptr;
    co_return !closed_ && !set_->draining();
}

/// All of a header but the framing of the body and the empty line.
void Connection::append_head(const Response& response, std::string_view connection) {
    auto out = std::back_inserter(output_);
    fmt::format_to(
        out,
        "HTTP/1.1 {} {}\r\nDate: {}\r\nContent-Type: {}\r\nX-Content-Type-Options: nosniff\r\n",
        response.status,
        reason_phrase(response.status),
        set_->date(),
        response.content_type
    );
    for (const auto& [name, value] : response.headers) {
        fmt::format_to(out, "{}: {}\r\n", name, value);
    }
    output_ += connection;
}

void Connection::append_answer(const Response& response, Form form) {
    const std::size_t start = output_.size();
    append_head(response, form.connection);
    if (response.status == 204 || response.status == 304) {  // have no body by definition
        output_ += "\r\n";
    } else {
        const std::string_view body = response.payload();
        fmt::format_to(std::back_inserter(output_), "Content-Length: {}\r\n\r\n", body.size());
        output_ += form.head_only ? std::string_view{} : body;
    }
    if (response.hold_until != 0) {
        held_.push_back(
            {.start = start, .end = output_.size(), .position = response.hold_until, .form = form}
        );
    }
}

void Connection::set_deadline(std::chrono::seconds timeout) {
    deadline_tick_ = set_->tick() + static_cast<std::uint64_t>(timeout.count()) + 1;
}

void Connection::check_deadline() {
    if (deadline_tick_ != 0 && set_->tick() >= deadline_tick_) {
        close();
    }
}

void Connection::drain() {
    error_code error;
    if (idle_ && socket_.available(error) == 0) {
        close();
    }
    if (pause_ != nullptr) {
        pause_->cancel();
    }
}

void Connection::close() {
    closed_ = true;
    if (pause_ != nullptr) {
        pause_->cancel();
    }
    error_code error;
    socket_.shutdown(Socket::shutdown_both, error);
    socket_.close(error);
}

}  // namespace footfall::http_server
