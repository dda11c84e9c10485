#include "http_server/server_test_parts.h"

#include "foundation/parse_number.h"

#include <arpa/inet.h>
#include <chrono>
#include <latch>
#include <netinet/in.h>
#include <stdexcept>
#include <sys/time.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace footfall::http_server::testing {

using runtime::Task;

namespace {

std::uint64_t number(std::string_view text) {
    return parse_unsigned(text).value_or(0);
}

}  // namespace

std::string get(const std::string& target, const std::string& headers) {
    return "GET " + target + " HTTP/1.1\r\nHost: h\r\n" + headers + "\r\n";
}

std::string put_head(
    const std::string& target, std::size_t body_bytes, const std::string& headers
) {
    return "PUT " + target + " HTTP/1.1\r\nHost: h\r\n" + headers +
           "Content-Length: " + std::to_string(body_bytes) + "\r\n\r\n";
}

std::string put(const std::string& target, const std::string& body) {
    return put_head(target, body.size()) + body;
}

std::string Answer::header(const std::string& name) const {
    const std::string line = "\r\n" + name + ": ";
    const std::size_t start = head.find(line);
    if (start == std::string::npos) {
        return {};
    }
    const std::size_t value = start + line.size();
    return head.substr(value, head.find("\r\n", value) - value);
}

RawClient::RawClient(std::uint16_t port) : socket_{::socket(AF_INET, SOCK_STREAM, 0)} {
    const timeval patience{.tv_sec = 30, .tv_usec = 0};
    ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
    ::setsockopt(socket_, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const int connected =
        ::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof(address));
    EXPECT_EQ(connected, 0) << "cannot connect to port " << port;
}

RawClient::~RawClient() {
    ::close(socket_);
}

void RawClient::vanish() {
    const linger at_once{.l_onoff = 1, .l_linger = 0};
    ::setsockopt(socket_, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once));
    ::close(std::exchange(socket_, -1));
}

bool RawClient::send(std::string_view bytes) {
    while (!bytes.empty()) {
        const auto sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (sent <= 0) {
            return false;
        }
        bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
}

bool RawClient::receive() {
    std::vector<char> bytes(64 << 10);
    const auto received = ::recv(socket_, bytes.data(), bytes.size(), 0);
    if (received <= 0) {
        return false;
    }
    buffer_.append(bytes.data(), static_cast<std::size_t>(received));
    return true;
}

std::string RawClient::read_until(std::string_view mark) {
    std::size_t found = buffer_.find(mark);
    while (found == std::string::npos) {
        if (!receive()) {
            return {};
        }
        found = buffer_.find(mark);
    }
    const std::string text = buffer_.substr(0, found + mark.size());
    buffer_.erase(0, text.size());
    return text;
}

bool RawClient::read_bytes(std::size_t size) {
    while (buffer_.size() < size) {
        size -= buffer_.size();
        buffer_.clear();
        if (!receive()) {
            return false;
        }
    }
    buffer_.erase(0, size);
    return true;
}

bool RawClient::at_end() {
    char byte = 0;
    return buffer_.empty() && ::recv(socket_, &byte, 1, 0) == 0;
}

Answer RawClient::read(bool head_only) {
    Answer answer;
    answer.head = read_until("\r\n\r\n");
    constexpr std::string_view start = "HTTP/1.1 ";
    if (!answer.head.starts_with(start)) {
        EXPECT_EQ(answer.head, "");
        return answer;
    }
    answer.status = static_cast<int>(number(answer.head.substr(start.size(), 3)));
    const std::string length = answer.header("Content-Length");
    if (head_only || length.empty()) {
        return answer;
    }
    while (buffer_.size() < number(length)) {
        if (!receive()) {
            return {};
        }
    }
    answer.body = buffer_.substr(0, number(length));
    buffer_.erase(0, answer.body.size());
    return answer;
}

bool TestGate::open(std::uint64_t position) const {
    const std::lock_guard lock{mutex_};
    const auto found = decided_.find(position);
    return found != decided_.end() && found->second;
}

void TestGate::when_decided(std::uint64_t position, std::move_only_function<void()> decided) {
    std::unique_lock lock{mutex_};
    ++questions_;
    if (decided_.lower_bound(position) != decided_.end()) {
        lock.unlock();
        decided();
        return;
    }
    waiting_.emplace(position, std::move(decided));
    changed_.notify_all();
}

void TestGate::wait_for_waiter(std::uint64_t position) {
    std::unique_lock lock{mutex_};
    changed_.wait(lock, [&] { return waiting_.contains(position); });
}

void TestGate::decide(std::uint64_t position, bool opens) {
    decide_all(position, position, opens);
}

void TestGate::decide_all(std::uint64_t first, std::uint64_t last, bool opens) {
    std::vector<std::move_only_function<void()>> told;
    {
        const std::lock_guard lock{mutex_};
        for (std::uint64_t position = first; position <= last; ++position) {
            decided_[position] = opens;
        }
        const auto end = waiting_.upper_bound(last);
        for (auto waiter = waiting_.begin(); waiter != end; ++waiter) {
            told.push_back(std::move(waiter->second));
        }
        waiting_.erase(waiting_.begin(), end);
    }
    for (auto& decided : told) {
        decided();
    }
}

void TestGate::give_up() {
    const std::lock_guard lock{mutex_};
    for (auto& [position, decided] : std::exchange(waiting_, {})) {
        decided();
    }
}

std::size_t TestGate::questions() const {
    const std::lock_guard lock{mutex_};
    return questions_;
}

Task<> Mailbox::wait_here(Exchange* exchange) {
    auto start = [this,
                  name = std::string{exchange->request().placeholders[0]},
                  left = exchange->client_left()](std::move_only_function<void(std::string)> done) {
        const std::lock_guard lock{mutex_};
        waiting_[name] = std::move(done);
        left_[name] = left;
        changed_.notify_all();
    };
    std::string text = co_await runtime::await_callback<std::string>(std::move(start));
    exchange->response().body = std::move(text);
}

void Mailbox::wait_for(const std::string& name) {
    std::unique_lock lock{mutex_};
    changed_.wait(lock, [&] { return waiting_.contains(name); });
}

bool Mailbox::is_left_by(const std::string& name) {
    std::unique_lock lock{mutex_};
    std::condition_variable_any told;
    constexpr std::chrono::seconds patience{20};
    const std::stop_token left = left_.at(name);
    told.wait_for(lock, left, patience, [] { return false; });
    return left.stop_requested();
}

bool Mailbox::was_left_by(const std::string& name) {
    const std::lock_guard lock{mutex_};
    return left_.at(name).stop_requested();
}

void Mailbox::answer(const std::string& name, std::string text) {
    wait_for(name);
    const std::lock_guard lock{mutex_};
    waiting_.extract(name).mapped()(std::move(text));
}

void Mailbox::answer_all() {
    const std::lock_guard lock{mutex_};
    for (auto& [name, done] : std::exchange(waiting_, {})) {
        done("");
    }
}

TestServer::TestServer(const std::function<void(ServerOptions&)>& adjust, std::size_t thread_count)
    : threads{thread_count} {
    add_routes();
    ServerOptions options{.port = 0};
    options.memory = MemoryLimits::of(std::size_t{4} << 30, options.limits.body_bytes);
    options.outcome_unknown = [] { return Response{.status = 503, .body = "unknown"}; };
    if (adjust) {
        adjust(options);
    }
    server = std::make_unique<Server>(threads, router_, gate, metrics, std::move(options));
    threads.start();
    const Result<std::uint16_t> started = server->start();
    EXPECT_TRUE(started.has_value()) << started.error().message;
    port_ = started.value_or(std::uint16_t{0});
}

void TestServer::settle() {
    for (std::size_t index = 0; index < threads.size(); ++index) {
        std::latch done{1};
        boost::asio::post(threads.context(index), [&done] { done.count_down(); });
        done.wait();
    }
}

TestServer::~TestServer() {
    gate.give_up();
    mailbox.answer_all();
    threads.stop();
}

void TestServer::add_routes() {
    const auto at_once = [this](Method method, std::string_view path, auto fill) {
        router_.add(method, path, [fill](Exchange& exchange) -> std::optional<Task<>> {
            fill(exchange.request(), exchange.response());
            return std::nullopt;
        });
    };
    at_once(Method::get, "/hello", [](const Request&, Response& response) {
        response.body = "hello";
    });
    at_once(Method::get, "/nothing", [](const Request&, Response& response) {
        response.status = 204;
    });
    at_once(Method::put, "/echo", [](const Request& request, Response& response) {
        response.body = request.body;
    });
    at_once(Method::post, "/echo", [](const Request& request, Response& response) {
        response.body = request.body;
    });
    const auto echo = [](Exchange& exchange) -> std::optional<Task<>> {
        exchange.response().body = exchange.request().body;
        return std::nullopt;
    };
    const auto stranger = [](const Request& request) {
        return request.header("authorization").empty() ? std::optional{Response{.status = 401}}
                                                       : std::nullopt;
    };
    router_.add(Method::put, "/guarded", echo, {.door = Door::trusted, .refuse = stranger});
    router_.add(Method::put, "/short", echo, {.body = {.bytes = 100, .problem = "too-long"}});
    at_once(Method::get, "/held/{position}", [this](const Request& request, Response& response) {
        response.body = request.path;
        response.hold_until = note_held(number(request.placeholders[0]));
    });
    at_once(Method::get, "/next", [this](const Request&, Response& response) {
        response.hold_until = note_held(0);
        response.body = std::to_string(response.hold_until);
    });
    at_once(Method::get, "/large", [this](const Request&, Response& response) {
        response.static_body = large_;
    });
    at_once(Method::get, "/throws", [](const Request&, Response&) {
        throw std::runtime_error{"thrown by a handler"};
    });
    router_.add(Method::get, "/throws-later", [](Exchange& exchange) {
        return std::optional{throw_later(&exchange, false)};
    });
    router_.add(Method::get, "/throws-amid", [](Exchange& exchange) {
        return std::optional{throw_later(&exchange, true)};
    });
    for (const Method method : {Method::get, Method::post}) {
        router_.add(method, "/later/{name}", [this](Exchange& exchange) {
            return std::optional{mailbox.wait_here(&exchange)};
        });
    }
    router_.add(Method::get, "/ticks", [this](Exchange& exchange) {
        return std::optional{stream(this, &exchange, "tick\n", true)};
    });
    router_.add(Method::get, "/woken", [this](Exchange& exchange) {
        return std::optional{stream_woken(this, &exchange)};
    });
    router_.add(Method::get, "/flood", [this](Exchange& exchange) {
        return std::optional{stream(this, &exchange, std::string(large_bytes, 'y'), false)};
    });
}

std::uint64_t TestServer::note_held(std::uint64_t position) {
    const std::lock_guard lock{mutex_};
    ++held_;
    changed_.notify_all();
    return position > 0 ? position : ++next_;
}

std::uint64_t TestServer::wait_for_held(std::uint64_t count) {
    std::unique_lock lock{mutex_};
    changed_.wait(lock, [&] { return held_ >= count; });
    return next_;
}

Task<> TestServer::throw_later(Exchange* exchange, bool amid) {
    if (amid) {
        co_await exchange->send_part("part");
    }
    throw std::runtime_error{"thrown by a task"};
}

Task<> TestServer::stream(TestServer* self, Exchange* exchange, std::string part, bool pause) {
    exchange->response().content_type = "text/event-stream";
    while (co_await exchange->send_part(part)) {
        if (pause && !co_await exchange->next_second()) {
            break;
        }
    }
    self->note_ended_stream();
}

Task<> TestServer::stream_woken(TestServer* self, Exchange* exchange) {
    const std::function<void()> wake = exchange->waker();
    while (co_await exchange->send_part("woken\n")) {
        wake();
        if (!co_await exchange->next_second()) {
            break;
        }
    }
    {
        const std::lock_guard lock{self->mutex_};
        self->waker_ = wake;
    }
    self->note_ended_stream();
}

void TestServer::note_ended_stream() {
    const std::lock_guard lock{mutex_};
    ++ended_streams_;
    changed_.notify_all();
}

std::function<void()> TestServer::waker() {
    const std::lock_guard lock{mutex_};
    return waker_;
}

void TestServer::wait_for_ended_streams(int count) {
    std::unique_lock lock{mutex_};
    changed_.wait(lock, [&] { return ended_streams_ >= count; });
}

}  // namespace footfall::http_server::testing
