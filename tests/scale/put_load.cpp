#include "put_load.h"

#include "foundation/parse_number.h"
#include "runtime/enter_thread.h"
#include "test_support/must.h"

#include <fmt/format.h>

#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <cerrno>
#include <deque>
#include <fstream>
#include <memory>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string>
#include <string_view>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>

namespace footfall::scale {
namespace {

using std::chrono::steady_clock;
using namespace std::chrono_literals;
using test_support::give_up;

/// How long a server that said it is full is left alone.
constexpr auto refusal_pause = 20ms;

/// A connected socket with what is under way on it.
struct Connection {
    explicit Connection(std::uint16_t port);

    ~Connection() { ::close(socket); }

    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    int socket;
    Put put{};
    steady_clock::time_point due;  ///< What its time is counted from.
    std::array<char, 2048> answer{};
    std::size_t received = 0;
};

Connection::Connection(std::uint16_t port)
    : socket{::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)} {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const int yes = 1;
    ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    if (::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
        give_up(fmt::format("cannot connect to port {}", port));
    }
}

/// The whole answer's length; absent while its header or body is not there yet.
std::optional<std::size_t> whole_length(std::string_view text) {
    const std::size_t head = text.find("\r\n\r\n");
    constexpr std::string_view name = "\r\nContent-Length: ";
    const std::size_t field = text.find(name);
    if (head == text.npos || field > head) {
        return std::nullopt;
    }
    const std::size_t digits = field + name.size();
    const auto length = parse_unsigned(text.substr(digits, text.find('\r', digits) - digits));
    if (!length || text.size() < head + 4 + *length) {
        return std::nullopt;
    }
    return head + 4 + *length;
}

/// The time that the hypervisor gave to others so far, divided by the number of cores.
double stolen_seconds() {
    std::ifstream stat{"/proc/stat"};
    std::string cpu;
    std::array<double, 8> ticks{};  // user, nice, system, idle, waiting, two of interrupts, stolen
    stat >> cpu;
    for (double& tick : ticks) {
        stat >> tick;
    }
    return ticks[7] / static_cast<double>(::sysconf(_SC_CLK_TCK) * ::sysconf(_SC_NPROCESSORS_ONLN));
}

double seconds_between(steady_clock::time_point from, steady_clock::time_point to) {
    return std::chrono::duration<double>(to - from).count();
}

}  // namespace

class PutLoad::Loop {
public:
    explicit Loop(PutLoad& load) : load_{&load}, epoll_{::epoll_create1(EPOLL_CLOEXEC)} {
        for (std::size_t number = 0; number < load.options_.connections; ++number) {
            connections_.push_back(std::make_unique<Connection>(load.options_.port));
            epoll_event event{.events = EPOLLIN, .data = {.ptr = connections_.back().get()}};
            ::epoll_ctl(epoll_, EPOLL_CTL_ADD, connections_.back()->socket, &event);
            idle_.push_back(connections_.back().get());
        }
    }

    ~Loop() { ::close(epoll_); }

    Loop(const Loop&) = delete;
    Loop& operator=(const Loop&) = delete;

    void run(const std::stop_token& stop) {
        while (load_->failure_.empty()) {
            const auto now = steady_clock::now();
            close_window(now, false);
            stopping_ = stopping_ || stop.stop_requested();
            send_again(now);
            send_new(now);
            if (stopping_ && idle_.size() == connections_.size()) {
                break;
            }
            receive(now);
        }
        close_window(steady_clock::now(), true);
    }

private:
    /// New requests: all idle connections in the closed loop, those that are due with a rate.
    void send_new(steady_clock::time_point now) {
        while (!stopping_ && !idle_.empty() && due() <= now) {
            const std::optional<Put> put = load_->options_.next();
            if (!put) {
                stopping_ = true;
                return;
            }
            // In turn: the server closes one that was idle for long.
            Connection& connection = *idle_.front();
            idle_.pop_front();
            connection.put = *put;
            connection.due = load_->options_.rate ? due() : now;
            ++sent_;
            send(connection);
        }
    }

    /// When the next request is due.
    steady_clock::time_point due() const {
        if (!load_->options_.rate) {
            return begin_;
        }
        const std::chrono::duration<double> after{
            static_cast<double>(sent_) / *load_->options_.rate
        };
        return begin_ + std::chrono::duration_cast<steady_clock::duration>(after);
    }

    void send_again(steady_clock::time_point now) {
        while (!refused_.empty() && refused_.front().first <= now) {
            send(*refused_.front().second);
            refused_.pop_front();
        }
    }

    void send(Connection& connection) {
        std::array<char, 256> request{};
        const std::string token = token_name(connection.put.token);
        const auto written = fmt::format_to_n(
            request.data(),
            request.size(),
            "PUT /api/v1/counter/{} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {}\r\n\r\n{}",
            object_name(connection.put.object),
            token.size(),
            token
        );
        const auto sent = ::send(connection.socket, request.data(), written.size, MSG_NOSIGNAL);
        if (sent != static_cast<ssize_t>(written.size)) {
            load_->failure_ = "the server does not take a request";
        }
    }

    void receive(steady_clock::time_point now) {
        std::array<epoll_event, 64> events{};
        const int ready = ::epoll_pwait2(
            epoll_, events.data(), static_cast<int>(events.size()), &patience(now), nullptr
        );
        for (int index = 0; index < ready; ++index) {
            take(*static_cast<Connection*>(events[static_cast<std::size_t>(index)].data.ptr));
        }
    }

    /// Until the next request is due or to be sent again, at most 100 ms.
    const timespec& patience(steady_clock::time_point now) {
        auto wait = steady_clock::duration{100ms};
        if (load_->options_.rate && !stopping_ && !idle_.empty()) {
            wait = std::min(wait, due() - now);
        }
        if (!refused_.empty()) {
            wait = std::min(wait, refused_.front().first - now);
        }
        patience_.tv_nsec = std::max<steady_clock::rep>(
            0, std::chrono::duration_cast<std::chrono::nanoseconds>(wait).count()
        );
        return patience_;
    }

    void take(Connection& connection) {
        const auto got = ::recv(
            connection.socket,
            connection.answer.data() + connection.received,
            connection.answer.size() - connection.received,
            0
        );
        if (got <= 0) {
            load_->failure_ = "the server closed a connection";
            return;
        }
        connection.received += static_cast<std::size_t>(got);
        const std::string_view text{connection.answer.data(), connection.received};
        const auto length = whole_length(text);
        if (!length) {
            return;
        }
        finish(connection, text.substr(0, *length));
        connection.received = 0;
    }

    void finish(Connection& connection, std::string_view answer) {
        const auto now = steady_clock::now();
        if (answer.starts_with("HTTP/1.1 503")) {
            ++window_refused_;
            refused_.emplace_back(now + refusal_pause, &connection);
            return;
        }
        if (!answer.starts_with("HTTP/1.1 200")) {
            load_->failure_ = fmt::format("a PUT was answered: {}", answer);
            return;
        }
        const auto took =
            std::chrono::duration_cast<std::chrono::microseconds>(now - connection.due);
        histogram_.add(static_cast<std::uint64_t>(std::max<std::int64_t>(0, took.count())));
        load_->options_.acknowledged(connection.put);
        idle_.push_back(&connection);
    }

    void close_window(steady_clock::time_point now, bool last) {
        const bool over = now - window_begin_ >= load_->options_.window;
        // A last short window says nothing about a hundredth of its requests.
        if (!over && !(last && histogram_.count() >= 1000)) {
            return;
        }
        const double now_stolen = stolen_seconds();
        const Window window{
            .start = seconds_between(begin_, window_begin_),
            .seconds = seconds_between(window_begin_, now),
            .puts = histogram_.count(),
            .refused = std::exchange(window_refused_, 0),
            .p50_ms = static_cast<double>(histogram_.quantile(0.5)) / 1000,
            .p99_ms = static_cast<double>(histogram_.quantile(0.99)) / 1000,
            .max_ms = static_cast<double>(histogram_.max()) / 1000,
            .stolen = (now_stolen - window_stolen_) / seconds_between(window_begin_, now)
        };
        {
            const std::lock_guard lock{load_->mutex_};
            load_->windows_.push_back(window);
        }
        histogram_ = {};
        window_begin_ = now;
        window_stolen_ = now_stolen;
    }

    PutLoad* load_;
    int epoll_;
    std::vector<std::unique_ptr<Connection>> connections_;
    std::deque<Connection*> idle_;
    /// Connections whose request the server was too full for, and when it is sent again.
    std::deque<std::pair<steady_clock::time_point, Connection*>> refused_;
    const steady_clock::time_point begin_ = steady_clock::now();
    steady_clock::time_point window_begin_ = begin_;
    double window_stolen_ = stolen_seconds();
    std::uint64_t sent_ = 0;
    std::uint64_t window_refused_ = 0;
    Histogram histogram_;
    timespec patience_{};
    bool stopping_ = false;
};

void PutLoad::run(const std::stop_token& stop) {
    // A client that shares the machine: its own waits for a core are not the server's.
    runtime::enter_thread("put load", runtime::Urgency::answers);
    Loop{*this}.run(stop);
}

std::vector<Window> PutLoad::windows() const {
    const std::lock_guard lock{mutex_};
    return windows_;
}

}  // namespace footfall::scale
