#include "http_server/connection.h"

#include "foundation/log.h"
#include "http_server/problem.h"
#include "runtime/await_callback.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>

#include <algorithm>
#include <utility>

namespace footfall::http_server {
namespace {

using boost::system::error_code;
using runtime::Task;

/// Answers are written once this much has gathered, so that a client which only sends cannot fill
/// the memory.
constexpr std::size_t output_bytes_max = 256 << 10;
/// A body that does not say how long it is, and is longer than this, is taken for one of the
/// largest.
constexpr std::size_t unannounced_bytes_max = 1 << 20;

constexpr std::string_view connection_close = "Connection: close\r\n";
constexpr std::string_view connection_keep_alive = "Connection: keep-alive\r\n";

/// Books `bytes` of a budget, in place of what the share held.
bool hold(net::MemoryBudget::Share& share, Memory::Budget& budget, std::size_t bytes) {
    const bool holds = share.hold_of(budget.bytes, Memory::counted(bytes));
    if (!holds) {
        budget.refused.add();
    }
    return holds;
}

Response overloaded(std::string_view what) {
    return problem(503, "overloaded", std::string{what} + "; try again later");
}

Response no_room_for_request() {
    return overloaded("the memory for requests that are arriving or being handled is used up");
}

Response no_room_for_answer() {
    return overloaded("the memory for answers that wait for their clients is used up");
}

}  // namespace

Connection::Connection(
    net::Socket socket, std::string peer, net::ConnectionSet& set, const HttpProtocol& protocol
)
    : net::Connection{std::move(socket), set},
      http_{&protocol},
      parser_{protocol.context().options->limits},
      request_share_{protocol.context().memory->requests(Door::open).bytes},
      answer_share_{protocol.context().memory->answers(Door::open).bytes},
      peer_{std::move(peer)} {}

void Connection::start() {
    loop_ = run();
    loop_.start();
}

auto Connection::handler() {
    return net::until_called<std::exception_ptr>([this](auto done) {
        boost::asio::co_spawn(set().executor(), *std::exchange(pending_, {}), done);
    });
}

net::Loop<Connection> Connection::run() {
    Step step = Step::read;
    while (step == Step::read && may_read(!parser_.started() && input().empty()) &&
           take(co_await reading())) {
        do {
            step = answer_buffered();
            if (!holds_memory()) {
                step = Step::end;
                break;
            }
            const std::uint64_t position = output_.held_until();
            if (position != 0 && !http_->context().gate->open(position)) {
                co_await decided(position);
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
        rest();
    }
    if (may_linger(refused_)) {
        holds_request();  // less than before, which always works
        while (!has_lingered(co_await reading())) {
        }
    }
    close();
}

/// Answers every request that is complete in the buffer.
Connection::Step Connection::answer_buffered() {
    while (!last_) {
        std::size_t taken = 0;
        const RequestParser::State state = parser_.feed(input().bytes(), taken);
        input().take(taken);
        if (state == RequestParser::State::failed) {
            refuse(problem(parser_.status(), parser_.problem_type(), parser_.problem()));
        } else if (state == RequestParser::State::need_more) {
            input().trim();
            if (!parser_.started() && request_bytes() > Memory::free_bytes) {
                parser_.release();
            }
            if (const auto refusal = refuse_arriving()) {
                refuse(*refusal);
                continue;
            }
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

/// The refusal of the parser's request by its header, and by what has come of its body. Absent:
/// endpoint_ serves it.
std::optional<Response> Connection::refusal() {
    Request& request = parser_.request();
    request.peer = peer_;
    endpoint_ = nullptr;
    door_ = Door::open;
    if (request.known.hosts > 1 || (request.known.hosts == 0 && parser_.is_http_1_1())) {
        return problem(400, "malformed-request", "a request has one Host header", "Host");
    }
    const Router& router = *http_->context().router;
    if (const Endpoint* const found = router.find(request)) {
        auto refused = found->refuse(request);
        if (!refused) {
            endpoint_ = found;
            door_ = found->entrance.door;
        }
        return refused;
    }
    if (const std::string allowed = router.allowed(request.path); !allowed.empty()) {
        Response response = problem(405, "method-not-allowed", "this path answers " + allowed);
        response.headers.emplace_back("Allow", allowed);
        return response;
    }
    return problem(
        404, "not-found", "there is nothing at this path; the API is described at /openapi.json"
    );
}

/// The refusal of a request that has not come to its end, if it can be told already.
std::optional<Response> Connection::refuse_arriving() {
    if (parser_.has_header() && endpoint_ == nullptr) {
        if (auto refused = refusal()) {
            return refused;
        }
        const bool is_known = parser_.has_length();
        expect(is_known ? request().length : http_->context().options->limits.body_bytes);
    } else if (endpoint_ != nullptr) {
        if (auto refused = endpoint_->refuse_size(request())) {
            return refused;
        }
    }
    return make_room() ? std::nullopt : std::optional{no_room_for_request()};
}

/// Answers the parser's request, or leaves in pending_ what will.
void Connection::answer_one() {
    if (auto refused = refusal()) {
        response_ = *std::move(refused);
    } else {
        call(endpoint_->handler);
    }
    if (pending_ && !holds_request()) {
        pending_.reset();
        response_ = no_room_for_request();
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
    last_ = streaming_ || !parser_.keep_alive() || set().draining();
    const std::size_t copied = head_only ? 0 : response_.payload().size();
    if (!streaming_ && !holds_answer(copied - std::min(copied, response_.body.capacity()))) {
        // The client of a write is not told what it came to.
        const bool reads = request().method == Method::get || head_only;
        response_ = reads ? no_room_for_answer() : http_->context().options->outcome_unknown();
    }
    if (streaming_) {
        output_.add(is_http_1_1 && !head_only ? "0\r\n\r\n" : "");
    } else {
        const std::string_view connection = last_         ? connection_close
                                            : is_http_1_1 ? std::string_view{}
                                                          : connection_keep_alive;
        const Form form{.head_only = head_only, .connection = connection};
        output_.add_answer(response_, form, http_->common_lines());
    }
    count_error(response_.status);
    endpoint_ = nullptr;
    ++answered_;
    response_.clear();
    parser_.reset();
    pause_.reset();
    streaming_ = false;
    continued_ = false;
    request_ended();
}

/// Whether what has come of a request may be kept until the rest is there, and has its room.
bool Connection::make_room() {
    if (!parser_.has_header()) {
        return holds_request();
    }
    const std::size_t most =
        std::min(http_->context().options->limits.body_bytes, endpoint_->entrance.body.bytes);
    const std::size_t arrived = parser_.body_bytes();
    const std::size_t room = parser_.has_length()               ? request().length
                             : arrived <= unannounced_bytes_max ? 2 * arrived
                                                                : most;
    if (!holds_request(room - std::min(room, parser_.body_room()))) {
        return false;
    }
    parser_.reserve_body(room);
    return true;
}

/// Whether there is memory for what belongs to the request, and so many bytes more. It is booked
/// then.
bool Connection::holds_request(std::size_t more) {
    Memory::Budget& budget = http_->context().memory->requests(door_);
    return hold(request_share_, budget, request_bytes() + more);
}

/// The same of what belongs to answers.
bool Connection::holds_answer(std::size_t more) {
    Memory::Budget& budget = http_->context().memory->answers(door_);
    return hold(answer_share_, budget, answer_bytes() + more);
}

bool Connection::holds_memory() {
    return holds_request() && holds_answer();
}

std::size_t Connection::request_bytes() const {
    return input().capacity() + parser_.memory_bytes();
}

std::size_t Connection::answer_bytes() const {
    return output_.memory_bytes() + response_.body.capacity() + scratch_.capacity();
}

std::size_t Connection::counted_bytes() const {
    return Memory::counted(request_bytes()) + Memory::counted(answer_bytes());
}

/// All that was answered has left. What is kept for the next request is little, or goes.
void Connection::rest() {
    if (!parser_.started() && answer_bytes() > Memory::free_bytes) {
        give_memory_back();
    }
    holds_answer();  // less than before, which always works
}

/// Answers a request that cannot be read to its end.
void Connection::refuse(const Response& response) {
    const Form form{.head_only = false, .connection = connection_close};
    output_.add_answer(response, form, http_->common_lines());
    count_error(response.status);
    parser_.reset();
    parser_.release();
    input().take(input().bytes().size());  // what follows is not read either
    input().trim();
    endpoint_ = nullptr;
    door_ = Door::open;
    refused_ = true;
    last_ = true;
}

void Connection::settle_held() {
    if (output_.held_until() != 0) {
        const HttpContext& context = http_->context();
        const std::size_t failed =
            output_.settle(*context.gate, context.options->outcome_unknown, http_->common_lines());
        if (failed > 0) {
            context.failures.add(static_cast<double>(failed));
        }
    }
}

void Connection::count_error(int status) {
    if (status >= 500) {
        http_->context().failures.add();
    } else if (status >= 400) {
        http_->context().refusals.add();
    }
}

/// Sends as much as the system takes.
Connection::Written Connection::write_output() {
    if (answered_ > 0) {
        http_->context().requests.add(std::exchange(answered_, 0));
    }
    const Written written = write(output_);
    if (written == Written::all && answer_share_.held() > 0) {
        holds_answer();  // less than before, which always works
    }
    return written;
}

void Connection::give_memory_back() {
    output_.release();
    parser_.release();
    std::string{}.swap(response_.body);
    std::string{}.swap(scratch_);
}

Task<bool> Connection::send_part(std::string part) {
    const bool head_only = request().method == Method::head;
    const bool is_http_1_1 = parser_.is_http_1_1();
    if (!std::exchange(streaming_, true)) {
        output_.add_head(response_, connection_close, http_->common_lines());
        output_.add(is_http_1_1 ? "Transfer-Encoding: chunked\r\n\r\n" : "\r\n");
    }
    if (!holds_answer(part.size())) {
        close();
        co_return false;
    }
    if (!head_only && !part.empty()) {  // an empty chunk would be the last
        if (is_http_1_1) {
            output_.add_chunk(part);
        } else {
            output_.add(part);
        }
    }
    const auto wait = [this](Done done) { when_writable(std::move(done)); };
    Written written = write_output();
    while (written == Written::some && co_await runtime::await_callback<bool>(wait)) {
        written = write_output();
    }
    stop_clock();
    co_return written == Written::all && !head_only && !set().draining();
}

Task<bool> Connection::next_second() {
    if (closed() || set().draining()) {
        co_return false;
    }
    const std::shared_ptr<net::Timer> timer = pause();
    const auto now = std::chrono::system_clock::now();
    auto boundary = std::chrono::ceil<std::chrono::seconds>(now);
    if (boundary == begun_) {
        // A clock that is being set right runs slower than the one of timers, which was early then.
        boundary += std::chrono::seconds{1};
    }
    timer->expires_after(boundary - now);
    error_code woken;
    co_await timer->async_wait(boost::asio::redirect_error(runtime::use_task, woken));
    if (!woken) {
        begun_ = boundary;
    }
    co_return !closed() && !set().draining();
}

std::function<void()> Connection::waker() {
    return [executor = set().executor(), weak = std::weak_ptr{pause()}] {
        boost::asio::post(executor, [weak] {
            if (const auto timer = weak.lock()) {
                timer->cancel();
            }
        });
    };
}

const std::shared_ptr<net::Timer>& Connection::pause() {
    if (pause_ == nullptr) {
        pause_ = std::make_shared<net::Timer>(set().executor());
    }
    return pause_;
}

std::stop_token Connection::client_left() {
    if (!left_.stop_possible()) {
        left_ = std::stop_source{};
    }
    if (closed() || hung_up()) {
        left_.request_stop();
    }
    return left_.get_token();
}

void Connection::end_pause() {
    if (pause_ != nullptr) {
        pause_->cancel();
    }
}

}  // namespace footfall::http_server
