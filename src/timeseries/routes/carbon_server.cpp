#include "timeseries_routes/carbon_server.h"

#include "net/connection.h"
#include "net/connection_set.h"
#include "net/loop.h"
#include "net/protocol.h"
#include "timeseries_routes/carbon_line.h"

#include <boost/system/error_code.hpp>

#include <chrono>
#include <string>
#include <utility>

namespace footfall::timeseries::routes {
namespace {

constexpr std::size_t connections_max = 1000;
/// Many send once a minute.
constexpr std::chrono::seconds idle_max{300};
constexpr std::chrono::milliseconds drain_patience{5'000};
/// What a sender has sent meanwhile is written at once: a series that has several points in it has
/// one row for them.
constexpr std::size_t points_at_once = 50'000;
/// If the store takes nothing for so long, what was sent is lost.
constexpr std::chrono::milliseconds busy_pause{20};
constexpr std::chrono::milliseconds busy_max{30'000};
/// The setting by which people choose the port, for errors.
constexpr const char* chosen_with = "--carbon ADDRESS:PORT";

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
            PointList points;
            CarbonContext::Held held{*context_};
            take_lines(points, held);
            while (socket().available() > 0 && points.size() < points_at_once &&
                   context_->may_hold_more() && may_read(false) && take(co_await reading())) {
                take_lines(points, held);
            }
            if (points.empty()) {
                continue;
            }
            std::chrono::milliseconds waited{0};
            while (context_->is_busy() && waited < busy_max) {
                co_await pause();
                waited += busy_pause;
            }
            Result<Taken> taken = context_->write(points);
            while (!taken && taken.error().kind == ErrorKind::overloaded && waited < busy_max) {
                co_await pause();
                waited += busy_pause;
                taken = context_->write(points);
            }
            if (!taken) {
                context_->lose(points.size(), taken.error().message);
                continue;
            }
            if (!context_->gate().open(taken->position)) {
                co_await decided(taken->position);
            }
            const bool are_durable = taken->points == 0 || context_->gate().open(taken->position);
            context_->settle(taken->points, are_durable);
        }
        close();
    }

    /// Takes the lines that are complete.
    void take_lines(PointList& points, CarbonContext::Held& held) {
        const Instant now = context_->now();
        for (;;) {
            const std::string_view bytes = input().bytes();
            const std::size_t end = bytes.find('\n');
            if (end == std::string_view::npos) {
                skip_if_too_long(bytes.size());
                break;
            }
            // The end of a line that was refused is none.
            if (!std::exchange(skipping_, false)) {
                context_->take_line(bytes.substr(0, end), now, points);
            }
            input().take(end + 1);
            request_ended();
        }
        held.hold(points.size());
    }

    /// Of a line without end nothing is kept.
    void skip_if_too_long(std::size_t bytes) {
        if (bytes > carbon_line_bytes_max || skipping_) {
            if (!std::exchange(skipping_, true)) {
                context_->refuse_too_long(input().bytes());
            }
            input().take(bytes);
        }
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

CarbonServer::CarbonServer(TimeSeries& series, const Clock& clock, storage::Store& store)
    : context_{series, clock, store} {}

Result<std::uint16_t> CarbonServer::start(const AddressAndPort& address) {
    server_ = std::make_unique<net::Server>(
        threads_,
        &context_.gate(),
        net::ServerOptions{
            .address = address.address,
            .port = address.port,
            .chosen_with = chosen_with,
            .connections_max = connections_max,
            .patience = {.idle = idle_max}
        }
    );
    threads_.start();
    auto port = server_->start([this] { return std::make_unique<CarbonProtocol>(context_); });
    if (port) {
        listening_ = true;
        const auto started =
            datagrams_.start({.address = address.address, .port = *port}, chosen_with);
        if (!started) {
            stop();
            return std::unexpected(started.error());
        }
        return port;
    }
    threads_.stop();
    stopped_ = true;
    return port;
}

void CarbonServer::stop() {
    if (!listening_ || std::exchange(stopped_, true)) {
        return;
    }
    datagrams_.stop();
    server_->drain(drain_patience);
    // Who was cut off may still wait for the store, and must be told before its thread is gone.
    context_.wait_for_all();
    server_->on_each_thread([](net::ConnectionSet&) {});
    threads_.stop();
}

}  // namespace footfall::timeseries::routes
