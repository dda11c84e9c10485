#include "timeseries_routes/carbon_server.h"

#include "net/connection.h"
#include "net/connection_set.h"
#include "net/loop.h"
#include "net/protocol.h"
#include "storage/blocking.h"
#include "timeseries_routes/carbon_line.h"

#include <boost/system/error_code.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace footfall::timeseries::routes {
namespace {

constexpr std::size_t connections_max = 1000;
/// Many send once a minute.
constexpr std::chrono::seconds idle_max{300};
constexpr std::chrono::milliseconds drain_patience{5'000};
/// Who writes much waits where the store is about to slow writes down, so that others need not;
/// and if it takes nothing for so long, what was sent is lost.
constexpr double busy_pressure = 0.7;
constexpr std::chrono::milliseconds busy_pause{20};
constexpr std::chrono::milliseconds busy_max{30'000};
/// Of a line, in the log.
constexpr std::size_t shown_bytes = 200;

/// What is not printable, as a question mark: lines come from anywhere.
std::string shown(std::string_view line) {
    std::string text{line.substr(0, shown_bytes)};
    std::ranges::replace_if(text, [](char byte) { return byte < ' ' || byte > '~'; }, '?');
    return text;
}

class CarbonConnection final : public net::Connection {
public:
    CarbonConnection(net::Socket socket, net::ConnectionSet& set, CarbonContext& context)
        : Connection{std::move(socket), set}, context_{&context}, timer_{set.executor()} {}

    CarbonConnection(const CarbonConnection&) = delete;
    CarbonConnection& operator=(const CarbonConnection&) = delete;
    ~CarbonConnection() override = default;

    void start() override {
        loop_ = run();
        loop_.start();
    }

private:
    /// The store is busy: suspends for a moment, in which nothing more is read.
    auto pause() {
        stop_clock();
        return net::until_called<bool>([this](auto done) {
            timer_.expires_after(busy_pause);
            timer_.async_wait([done](const boost::system::error_code&) mutable { done(true); });
        });
    }

    net::Loop<CarbonConnection> run() {
        while (may_read(input().empty() && !skipping_) && take(co_await reading())) {
            const std::vector<NamedPoint> points = take_lines();
            if (points.empty()) {
                continue;
            }
            std::chrono::milliseconds waited{0};
            while (context_->store->pressure() > busy_pressure && waited < busy_max) {
                co_await pause();
                waited += busy_pause;
            }
            Result<Taken> taken = context_->series->write(points);
            while (!taken && taken.error().kind == ErrorKind::overloaded && waited < busy_max) {
                co_await pause();
                waited += busy_pause;
                taken = context_->series->write(points);
            }
            if (!taken) {
                lose(points.size(), taken.error().message);
                continue;
            }
            note(*taken);
            if (!context_->gate.open(taken->position)) {
                co_await decided(taken->position);
            }
            count_durable(*taken);
        }
        close();
    }

    /// Takes the lines that are complete, and answers their points.
    std::vector<NamedPoint> take_lines() {
        const Instant now = context_->clock->now();
        std::vector<NamedPoint> points;
        for (;;) {
            const std::string_view bytes = input().bytes();
            const std::size_t end = bytes.find('\n');
            if (end == std::string_view::npos) {
                skip_if_too_long(bytes.size());
                break;
            }
            if (std::exchange(skipping_, false)) {
                // The end of a line that was refused.
            } else if (end > carbon_line_bytes_max) {
                refuse(LineTrouble::too_long, bytes, "a line is at most 4,096 bytes");
            } else {
                take_line(bytes.substr(0, end), now, points);
            }
            input().take(end + 1);
            request_ended();
        }
        return points;
    }

    void take_line(std::string_view line, Instant now, std::vector<NamedPoint>& points) {
        auto read = read_carbon_line(line, now);
        if (!read) {
            refuse(LineTrouble::malformed, line, read.error().message);
        } else if (std::optional<NamedPoint>& point = *read) {
            points.push_back(*std::move(point));
        }
    }

    /// Of a line without end nothing is kept.
    void skip_if_too_long(std::size_t bytes) {
        if (bytes > carbon_line_bytes_max || skipping_) {
            if (!std::exchange(skipping_, true)) {
                refuse(LineTrouble::too_long, input().bytes(), "a line is at most 4,096 bytes");
            }
            input().take(bytes);
        }
    }

    void note(const Taken& taken) {
        if (taken.refused[static_cast<std::size_t>(Refusal::no_room)] > 0) {
            context_->troubles.say(
                LogLevel::warning,
                fmt::format("carbon: a new series is refused: {}", context_->series->no_room())
            );
        }
        context_->last.store(taken.position, std::memory_order_relaxed);
    }

    /// The store has decided.
    void count_durable(const Taken& taken) {
        if (taken.points == 0 || context_->gate.open(taken.position)) {
            context_->series->count_durable(taken.points);
        } else {
            lose(taken.points, "a write failed");
        }
    }

    void lose(std::uint64_t points, std::string_view why) {
        count(LineTrouble::store, points);
        context_->troubles.say(
            LogLevel::warning, fmt::format("carbon: {} points are lost: {}", points, why)
        );
    }

    void count(LineTrouble why, std::uint64_t lines) {
        context_->refused[static_cast<std::size_t>(why)].fetch_add(
            lines, std::memory_order_relaxed
        );
    }

    void refuse(LineTrouble why, std::string_view line, std::string_view detail) {
        count(why, 1);
        context_->troubles.say(
            LogLevel::warning, fmt::format("carbon: {}, and not: {}", detail, shown(line))
        );
    }

    CarbonContext* context_;
    net::Timer timer_;
    bool skipping_ = false;  ///< Until the end of a line that is too long.
    net::Loop<CarbonConnection> loop_;
};

class CarbonProtocol final : public net::Protocol {
public:
    explicit CarbonProtocol(CarbonContext& context) : context_{&context} {}

    std::unique_ptr<net::Connection> connect(
        net::Socket socket, std::string /*peer*/, net::ConnectionSet& set
    ) override {
        return std::make_unique<CarbonConnection>(std::move(socket), set, *context_);
    }

private:
    CarbonContext* context_;
};

}  // namespace

std::string_view name_of(LineTrouble trouble) {
    static constexpr std::array<std::string_view, line_troubles> names{
        "malformed", "too_long", "store"
    };
    return names[static_cast<std::size_t>(trouble)];
}

CarbonServer::CarbonServer(TimeSeries& series, const Clock& clock, storage::Store& store)
    : store_{&store}, context_{series, clock, store} {}

Result<std::uint16_t> CarbonServer::start(const AddressAndPort& address) {
    server_ = std::make_unique<net::Server>(
        threads_,
        &context_.gate,
        net::ServerOptions{
            .address = address.address,
            .port = address.port,
            .chosen_with = "--carbon ADDRESS:PORT",
            .connections_max = connections_max,
            .patience = {.idle = idle_max}
        }
    );
    threads_.start();
    auto port = server_->start([this] { return std::make_unique<CarbonProtocol>(context_); });
    listening_ = port.has_value();
    if (!listening_) {
        threads_.stop();
        stopped_ = true;
    }
    return port;
}

void CarbonServer::stop() {
    if (!listening_ || std::exchange(stopped_, true)) {
        return;
    }
    server_->drain(drain_patience);
    // Who was cut off may still wait for the store, and must be told before its thread is gone.
    // What comes of it nobody asks any more: the store says by itself what it has lost.
    static_cast<void>(storage::wait_durable(*store_, context_.last.load(std::memory_order_relaxed))
    );
    server_->on_each_thread([](net::ConnectionSet&) {});
    threads_.stop();
}

}  // namespace footfall::timeseries::routes
