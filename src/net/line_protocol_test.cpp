// Another protocol than HTTP, served by this module alone: each line is answered by its length.
#include "net/connection.h"
#include "net/server.h"
#include "runtime/io_threads.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <arpa/inet.h>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <netinet/in.h>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>
#include <utility>

namespace footfall::net {
namespace {

using namespace std::chrono_literals;

/// A gate with one position, which opens when the test says so.
class TestGate final : public Gate {
public:
    bool open(std::uint64_t /*position*/) const override {
        const std::lock_guard lock{mutex_};
        return open_;
    }

    void when_decided(std::uint64_t /*position*/, std::move_only_function<void()> decided)
        override {
        const std::lock_guard lock{mutex_};
        decided_ = std::move(decided);
        asked_.notify_all();
    }

    void wait_for_question() {
        std::unique_lock lock{mutex_};
        EXPECT_TRUE(asked_.wait_for(lock, 30s, [this] { return decided_ != nullptr; }));
    }

    void decide() {
        std::unique_lock lock{mutex_};
        open_ = true;
        auto decided = std::exchange(decided_, {});
        lock.unlock();
        decided();
    }

private:
    mutable std::mutex mutex_;
    std::condition_variable asked_;
    bool open_ = false;                        // guarded by mutex_
    std::move_only_function<void()> decided_;  // guarded by mutex_
};

/// What a connection has answered and not sent.
class Replies {
public:
    bool empty() const { return text_.empty(); }

    void add(std::string_view line) { (text_ += line) += '\n'; }

    std::string_view unsent() const { return std::string_view{text_}.substr(sent_); }

    void sent(std::size_t count) {
        sent_ += count;
        if (sent_ == text_.size()) {
            text_.clear();
            sent_ = 0;
        }
    }

private:
    std::string text_;
    std::size_t sent_ = 0;
};

/// How many connections have ended.
class Ended {
public:
    void add() {
        const std::lock_guard lock{mutex_};
        ++count_;
        changed_.notify_all();
    }

    void wait_for(int count) {
        std::unique_lock lock{mutex_};
        EXPECT_TRUE(changed_.wait_for(lock, 30s, [&] { return count_ >= count; }));
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    int count_ = 0;  // guarded by mutex_
};

/// "hold" waits for the gate, "flood" is answered by flood_bytes; a line that is too long is
/// refused, and ends the connection.
class LineConnection final : public Connection {
public:
    static constexpr std::size_t line_bytes_max = 100'000;
    static constexpr std::size_t flood_bytes = 16 << 20;

    LineConnection(Socket socket, ConnectionSet& set, Ended& ended)
        : Connection{std::move(socket), set}, ended_{&ended} {}

    LineConnection(const LineConnection&) = delete;
    LineConnection& operator=(const LineConnection&) = delete;

    ~LineConnection() override { ended_->add(); }

    void start() override {
        loop_ = run();
        loop_.start();
    }

private:
    Loop<LineConnection> run() {
        while (!refused_ && may_read(input().empty()) && take(co_await reading())) {
            bool held = answer_lines();
            Written written = Written::all;
            do {
                if (held) {
                    if (!set().context().gate->open(1)) {
                        co_await decided(1);
                    }
                    replies_.add("held");
                    held = answer_lines();
                }
                written = write(replies_);
                while (written == Written::some && co_await writable()) {
                    written = write(replies_);
                }
            } while (held && written == Written::all);
            if (written != Written::all) {
                break;
            }
        }
        if (may_linger(refused_)) {
            while (!has_lingered(co_await reading())) {
            }
        }
        close();
    }

    /// Answers what is complete. True: the last of it when the gate has decided.
    bool answer_lines() {
        for (;;) {
            const std::string_view bytes = input().bytes();
            const std::size_t end = bytes.find('\n');
            if (end == std::string_view::npos) {
                break;
            }
            const std::string line{bytes.substr(0, end)};
            input().take(end + 1);
            request_ended();
            if (line == "hold") {
                return true;
            }
            replies_.add(line == "flood" ? std::string(flood_bytes, 'x') : std::to_string(end));
        }
        if (input().bytes().size() > line_bytes_max) {
            refused_ = true;
            replies_.add("too long");
        }
        return false;
    }

    Ended* ended_;
    Replies replies_;
    bool refused_ = false;
    Loop<LineConnection> loop_;
};

class LineProtocol final : public Protocol {
public:
    explicit LineProtocol(Ended& ended) : ended_{&ended} {}

    std::unique_ptr<Connection> connect(Socket socket, std::string /*peer*/, ConnectionSet& set)
        override {
        return std::make_unique<LineConnection>(std::move(socket), set, *ended_);
    }

    std::string turn_away() override { return "busy\n"; }

private:
    Ended* ended_;
};

/// A server of lines with one io thread.
class LineServer {
public:
    explicit LineServer(ServerOptions options = {}) : server_{threads_, &gate, std::move(options)} {
        threads_.start();
        const auto started =
            server_.start([this] { return std::make_unique<LineProtocol>(ended); });
        EXPECT_TRUE(started) << (started ? "" : started.error().message);
        port_ = started.value_or(std::uint16_t{0});
    }

    LineServer(const LineServer&) = delete;
    LineServer& operator=(const LineServer&) = delete;

    ~LineServer() {
        if (!drained_) {
            server_.drain(0ms);
        }
        threads_.stop();
    }

    std::uint16_t port() const { return port_; }

    std::size_t drain(std::chrono::milliseconds patience) {
        drained_ = true;
        return server_.drain(patience);
    }

    /// How many connections there are once the io thread has done what it was told before.
    std::size_t connections() {
        std::size_t count = 0;
        server_.on_each_thread([&count](ConnectionSet& set) { count += set.all().size(); });
        return count;
    }

    TestGate gate;
    Ended ended;

private:
    runtime::IoThreads threads_{1};
    Server server_;
    std::uint16_t port_ = 0;
    bool drained_ = false;
};

/// A blocking socket on loopback. What does not come within 30 s will not come.
class Client {
public:
    explicit Client(const LineServer& server) : socket_{::socket(AF_INET, SOCK_STREAM, 0)} {
        const timeval patience{.tv_sec = 30, .tv_usec = 0};
        ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(server.port());
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        const int connected =
            ::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof(address));
        EXPECT_EQ(connected, 0);
    }

    Client(const Client&) = delete;
    Client& operator=(const Client&) = delete;

    ~Client() { ::close(socket_); }

    /// False: the server cut the connection.
    bool send(std::string_view bytes) const {
        while (!bytes.empty()) {
            const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
            if (sent <= 0) {
                return false;
            }
            bytes.remove_prefix(static_cast<std::size_t>(sent));
        }
        return true;
    }

    /// The next line; "(end)" if the server has closed, "(reset)" if it cut the connection or
    /// nothing comes.
    std::string line() {
        for (;;) {
            if (const std::size_t end = buffer_.find('\n', looked_at_); end != std::string::npos) {
                const std::string line = buffer_.substr(0, end);
                buffer_.erase(0, end + 1);
                looked_at_ = 0;
                return line;
            }
            looked_at_ = buffer_.size();
            buffer_.resize(looked_at_ + (64 << 10));
            const ssize_t received = ::recv(socket_, buffer_.data() + looked_at_, 64 << 10, 0);
            buffer_.resize(looked_at_ + static_cast<std::size_t>(std::max<ssize_t>(received, 0)));
            if (received <= 0) {
                return received == 0 ? "(end)" : "(reset)";
            }
        }
    }

    std::string ask(std::string_view question) {
        send(question);
        return line();
    }

    void end_sending() const { ::shutdown(socket_, SHUT_WR); }

    /// Leaves without a word: the server sees a reset.
    void vanish() {
        const linger at_once{.l_onoff = 1, .l_linger = 0};
        ::setsockopt(socket_, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once));
        ::close(std::exchange(socket_, -1));
    }

private:
    int socket_;
    std::string buffer_;
    std::size_t looked_at_ = 0;  ///< So much of the buffer has no end of a line.
};

TEST(LineProtocol, answers_pipelined_lines_in_order) {
    LineServer server;
    Client client{server};
    std::string lines;
    for (std::size_t length = 0; length < 2000; ++length) {
        (lines += std::string(length, 'x')) += '\n';
    }
    auto sent = std::async(std::launch::async, [&] { client.send(lines); });
    for (std::size_t length = 0; length < 2000; ++length) {
        ASSERT_EQ(client.line(), std::to_string(length));
    }
    sent.get();
}

TEST(LineProtocol, answers_a_line_that_comes_in_pieces) {
    LineServer server;
    Client client{server};
    EXPECT_EQ(client.ask("one\ntw"), "3");
    EXPECT_EQ(client.ask("o\n"), "3");
}

TEST(LineProtocol, answers_who_sends_no_more_and_closes) {
    LineServer server;
    Client client{server};
    client.send("one\nunfinished");
    client.end_sending();
    EXPECT_EQ(client.line(), "3");
    EXPECT_EQ(client.line(), "(end)");
}

TEST(LineProtocol, a_client_that_goes_away_leaves_nothing_behind) {
    LineServer server;
    Client other{server};
    EXPECT_EQ(other.ask("a\n"), "1");
    {
        Client client{server};
        EXPECT_EQ(client.ask("one\ntw"), "3");
        EXPECT_EQ(server.connections(), 2U);
        client.vanish();
    }
    server.ended.wait_for(1);
    EXPECT_EQ(server.connections(), 1U);
    EXPECT_EQ(other.ask("ab\n"), "2");
}

TEST(LineProtocol, sends_an_answer_that_the_system_does_not_take_at_once) {
    LineServer server;
    Client client{server};
    client.send("flood\nafter\n");
    EXPECT_EQ(client.line().size(), LineConnection::flood_bytes);
    EXPECT_EQ(client.line(), "5");
}

TEST(LineProtocol, refuses_what_is_too_long_and_has_the_client_see_it) {
    LineServer server;
    Client client{server};
    EXPECT_TRUE(client.send(std::string(3 * LineConnection::line_bytes_max, 'x')));
    EXPECT_EQ(client.line(), "too long");
    EXPECT_EQ(client.line(), "(end)");
    EXPECT_TRUE(client.send("x"));
    EXPECT_TRUE(client.send("x")) << "what was on its way is read, not answered by a reset";
}

TEST(LineProtocol, an_idle_client_is_closed_and_one_that_asks_is_not) {
    LineServer server{{.patience = {.idle = 3s}}};
    Client idle{server};
    Client busy{server};
    auto ended = std::async(std::launch::async, [&idle] { return idle.line(); });
    while (ended.wait_for(100ms) == std::future_status::timeout) {
        ASSERT_EQ(busy.ask("still here\n"), "10");
    }
    EXPECT_EQ(ended.get(), "(end)");
    EXPECT_EQ(busy.ask("still here\n"), "10");
}

TEST(LineProtocol, a_line_that_does_not_end_in_time_is_given_up) {
    LineServer server{{.patience = {.progress = 1s}}};
    Client client{server};
    client.send("unfinished");
    EXPECT_EQ(client.line(), "(end)");
}

TEST(LineProtocol, one_client_too_many_is_told_so_and_another_is_served_once_there_is_room) {
    LineServer server{{.connections_max = 2}};
    Client first{server};
    {
        Client second{server};
        EXPECT_EQ(first.ask("a\n"), "1");
        EXPECT_EQ(second.ask("ab\n"), "2");
        Client third{server};
        EXPECT_EQ(third.line(), "busy");
        EXPECT_EQ(third.line(), "(end)");
        second.end_sending();
        EXPECT_EQ(second.line(), "(end)");
        server.ended.wait_for(1);
        EXPECT_EQ(server.connections(), 1U);
    }
    Client next{server};
    EXPECT_EQ(next.ask("abc\n"), "3");
}

TEST(LineProtocol, an_answer_waits_for_the_gate_and_those_behind_it_wait_too) {
    LineServer server;
    Client client{server};
    Client other{server};
    client.send("a\nhold\nabc\n");
    server.gate.wait_for_question();
    EXPECT_EQ(other.ask("ab\n"), "2");
    server.gate.decide();
    EXPECT_EQ(client.line(), "1");
    EXPECT_EQ(client.line(), "held");
    EXPECT_EQ(client.line(), "3");
}

TEST(LineProtocol, draining_ends_who_is_idle_and_lets_finish_who_has_begun) {
    LineServer server;
    Client idle{server};
    EXPECT_EQ(idle.ask("a\n"), "1");
    Client busy{server};
    EXPECT_EQ(busy.ask("ab\nunfin"), "2");
    auto drained = std::async(std::launch::async, [&server] { return server.drain(30s); });
    EXPECT_EQ(idle.line(), "(end)") << "draining has begun";
    EXPECT_EQ(busy.ask("ished\n"), "10");
    EXPECT_EQ(busy.line(), "(end)");
    EXPECT_EQ(drained.get(), 0U);
}

TEST(LineProtocol, who_does_not_finish_in_time_is_cut_off) {
    LineServer server;
    Client client{server};
    EXPECT_EQ(client.ask("ab\nunfinished"), "2");
    EXPECT_EQ(server.drain(0ms), 1U);
    EXPECT_EQ(client.line(), "(end)");
}

TEST(LineProtocol, a_port_that_is_taken_is_an_error_that_says_how_to_choose_another) {
    const LineServer server;
    runtime::IoThreads threads{1};
    Ended ended;
    Server second{threads, nullptr, {.port = server.port(), .chosen_with = "--lines PORT"}};
    const auto started = second.start([&ended] { return std::make_unique<LineProtocol>(ended); });
    ASSERT_FALSE(started);
    EXPECT_EQ(started.error().kind, ErrorKind::conflict);
    EXPECT_NE(started.error().message.find("Choose another with --lines PORT"), std::string::npos)
        << started.error().message;
}

}  // namespace
}  // namespace footfall::net
