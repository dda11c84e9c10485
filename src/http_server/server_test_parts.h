#pragma once

#include "http_server/server.h"
#include "metrics/metrics.h"
#include "runtime/await_callback.h"
#include "runtime/io_threads.h"

#include <gtest/gtest.h>

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <sys/socket.h>

namespace footfall::http_server::testing {

struct Answer {
    int status = 0;  ///< 0: the connection ended, or nothing came for a long time.
    std::string head;
    std::string body;

    /// The value of a header line, as sent; empty without it.
    std::string header(const std::string& name) const;
};

/// A client that does exactly what a test says: a blocking socket on loopback. What does not come
/// within 30 s will not come.
class RawClient {
public:
    explicit RawClient(std::uint16_t port);
    RawClient(const RawClient&) = delete;
    RawClient& operator=(const RawClient&) = delete;
    ~RawClient();

    /// False: the server has closed.
    bool send(std::string_view bytes);

    /// One answer with Content-Length, or none (1xx, 204, 304, `head_only`).
    Answer read(bool head_only = false);
    /// Everything up to `mark`, that included; empty if it never comes.
    std::string read_until(std::string_view mark);
    /// Reads that many bytes; false if fewer come.
    bool read_bytes(std::size_t size);
    /// Whether nothing comes any more but an orderly end.
    bool at_end();

    void shut_down_sending() { ::shutdown(socket_, SHUT_WR); }

    /// Leaves without a word: the server sees a reset.
    void vanish();

private:
    bool receive();

    int socket_;
    std::string buffer_;
};

/// A gate that opens when the test says so. Positions are to be decided in ascending order.
class TestGate final : public net::Gate {
public:
    bool open(std::uint64_t position) const override;
    void when_decided(std::uint64_t position, std::move_only_function<void()> decided) override;

    /// Waits until somebody waits for this position.
    void wait_for_waiter(std::uint64_t position);
    /// Decides this position, and all below it that were not.
    void decide(std::uint64_t position, bool opens);
    /// The same for all from `first` to `last`, at once.
    void decide_all(std::uint64_t first, std::uint64_t last, bool opens);
    /// Tells everybody who waits that nobody can say any more.
    void give_up();
    /// How often anybody asked when a position is decided.
    std::size_t questions() const;

private:
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::map<std::uint64_t, bool> decided_;                                  // guarded by mutex_
    std::multimap<std::uint64_t, std::move_only_function<void()>> waiting_;  // guarded by mutex_
    std::size_t questions_ = 0;                                              // guarded by mutex_
};

/// Requests to /later/NAME wait here until the test answers them, from its own thread.
class Mailbox {
public:
    runtime::Task<> wait_here(Exchange* exchange);

    void wait_for(const std::string& name);
    /// Whether the client who waits under this name leaves within some seconds.
    bool is_left_by(const std::string& name);
    /// Whether he has left by now.
    bool was_left_by(const std::string& name);
    void answer(const std::string& name, std::string text);
    void answer_all();

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::map<std::string, std::move_only_function<void(std::string)>>
        waiting_;                                  // guarded by mutex_
    std::map<std::string, std::stop_token> left_;  // guarded by mutex_
};

/// A server with routes for the tests:
///   GET  /hello           "hello"
///   GET  /nothing         204
///   PUT, POST /echo       the body
///   PUT  /guarded         the same by the trusted door: 401 without an Authorization header
///   PUT  /short           the same of at most 100 bytes
///   GET  /held/POSITION   its path, held until the gate opens
///   GET  /next            like /held, at the position after that of the request before
///   GET  /throws          an exception instead of an answer
///   GET  /throws-later    the same from a task, the connection waiting for it
///   GET  /throws-amid     the same behind the first part of a stream
///   GET, POST /later/NAME what the mailbox says
///   GET  /ticks           "tick\n" each second, without end
///   GET  /woken           "woken\n" without end, woken out of each second
///   GET  /flood           parts of large_bytes, without end
///   GET  /large           large_bytes of 'x'
class TestServer {
public:
    static constexpr std::size_t large_bytes = 32 << 20;

    explicit TestServer(
        const std::function<void(ServerOptions&)>& adjust = {}, std::size_t thread_count = 2
    );
    TestServer(const TestServer&) = delete;
    TestServer& operator=(const TestServer&) = delete;
    ~TestServer();

    std::uint16_t port() const { return port_; }

    /// Waits until the io threads have run what was posted to them before.
    void settle();

    /// Waits until this many answers have been held, or are on their way to it; the last position
    /// that /next has handed out.
    std::uint64_t wait_for_held(std::uint64_t count);

    /// Waits until this many streams have ended.
    void wait_for_ended_streams(int count);

    /// Of the last stream of /woken that has ended.
    std::function<void()> waker();

    runtime::IoThreads threads;
    TestGate gate;
    Mailbox mailbox;
    metrics::Metrics metrics;
    std::unique_ptr<Server> server;

private:
    void add_routes();
    std::uint64_t note_held(std::uint64_t position);
    static runtime::Task<> throw_later(Exchange* exchange, bool amid);
    static runtime::Task<> stream(
        TestServer* self, Exchange* exchange, std::string part, bool pause
    );
    static runtime::Task<> stream_woken(TestServer* self, Exchange* exchange);
    void note_ended_stream();

    Router router_;
    const std::string large_ = std::string(large_bytes, 'x');
    std::uint16_t port_ = 0;
    std::mutex mutex_;
    std::condition_variable changed_;
    int ended_streams_ = 0;        // guarded by mutex_
    std::function<void()> waker_;  // guarded by mutex_
    std::uint64_t held_ = 0;       // guarded by mutex_
    std::uint64_t next_ = 0;       // guarded by mutex_
};

/// "GET <target> HTTP/1.1" with a Host header, and what else is given.
std::string get(const std::string& target, const std::string& headers = "");

/// The same of a PUT whose body, of that many bytes, is to follow.
std::string put_head(
    const std::string& target, std::size_t body_bytes, const std::string& headers = ""
);

/// A PUT with its body.
std::string put(const std::string& target, const std::string& body);

}  // namespace footfall::http_server::testing
