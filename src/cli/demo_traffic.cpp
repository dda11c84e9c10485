#include "cli/demo_traffic.h"

#include "foundation/json_string.h"
#include "foundation/log.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <mutex>
#include <numbers>
#include <utility>

namespace footfall::cli {
namespace {

constexpr std::array sections{
    std::string_view{"/articles"},
    std::string_view{"/listing"},
    std::string_view{"/r/askhistorians"},
    std::string_view{"/recipes"},
    std::string_view{"/guides"},
    std::string_view{"/photos"}
};
constexpr std::array subjects{
    std::string_view{"why-the-sea-is-salt"},
    std::string_view{"volvo-240-1989"},
    std::string_view{"flat-two-rooms-with-a-view-of-the-old-harbour"},
    std::string_view{"who-counted-the-stars-before-telescopes-and-what-did-they-do-with-the-numbers"
    },
    std::string_view{"sourdough-for-the-impatient"},
    std::string_view{"how-to-fold-a-map"},
    std::string_view{"grüne-soße"},
    std::string_view{"last-tram-home"},
};
constexpr std::size_t pages = sections.size() * subjects.size();
constexpr double returning_share = 1.0 / 3.0;
constexpr double known_share = 2.0 / 3.0;
constexpr std::size_t remembered_visits = 2'000;
constexpr std::uint64_t people_a_robot = 50;
constexpr std::string_view browser =
    "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0";
constexpr std::string_view robot =
    "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)";
constexpr std::chrono::milliseconds between_batches{250};

std::string page_name(std::size_t page) {
    return fmt::format("{}/{}", sections[page % sections.size()], subjects[page / sections.size()]);
}

}  // namespace

std::string DemoVisit::event() const {
    return fmt::format(
        R"({{"action":"view","object":{},"actor":{},"agent":{}}})"
        "\n",
        json_string(object),
        json_string(token),
        json_string(agent)
    );
}

DemoVisits::DemoVisits(std::uint64_t seed) : random_{seed} {}

DemoVisit DemoVisits::next() {
    if (!recent_.empty() && random_.fraction() < returning_share) {
        return recent_[random_.below(recent_.size())];
    }
    const double place =
        static_cast<double>(pages) / 2 + gaussian() * static_cast<double>(pages) / 8;
    const auto page =
        static_cast<std::size_t>(std::clamp(place, 0.0, static_cast<double>(pages - 1)));
    const bool known = random_.fraction() < known_share;
    const std::uint64_t person = known ? random_.below(people_) : people_++;
    DemoVisit visit{
        .object = page_name(page),
        .token = fmt::format("visitor-{}", person),
        .agent = person % people_a_robot == 0 ? robot : browser
    };
    if (recent_.size() < remembered_visits) {
        recent_.push_back(visit);
    } else {
        recent_[oldest_] = visit;
        oldest_ = (oldest_ + 1) % remembered_visits;
    }
    return visit;
}

double DemoVisits::rate_at(double seconds) {
    using std::numbers::pi;
    return 90 + 45 * std::sin(2 * pi * seconds / 47) + 20 * std::sin(2 * pi * seconds / 11);
}

/// Box and Muller, "A note on the generation of random normal deviates", 1958.
double DemoVisits::gaussian() {
    const double radius = std::sqrt(-2 * std::log(1 - random_.fraction()));
    return radius * std::cos(2 * std::numbers::pi * random_.fraction());
}

DemoTraffic::DemoTraffic(http_server::ServerUrl server, std::uint64_t seed)
    : visits_{seed},
      client_{std::move(server)},
      thread_{[this](const std::stop_token& stop) { run(stop); }} {}

Result<void> DemoTraffic::send(const DemoVisit& visit) {
    TRY_VOID(client_.send(
        http_server::Method::put,
        "/api/v1/counter/" + http_server::percent_encode(visit.object),
        visit.token
    ));
    events_ += visit.event();
    const auto now = std::chrono::steady_clock::now();
    if (now - events_sent_ < between_batches) {
        return {};
    }
    events_sent_ = now;
    return send_events();
}

Result<void> DemoTraffic::send_events() {
    const std::string events = std::exchange(events_, {});
    TRY_VOID(client_.send(
        http_server::Method::post,
        "/api/v1/events",
        events,
        {{"Content-Type", "application/x-ndjson"}}
    ));
    return {};
}

void DemoTraffic::run(const std::stop_token& stop) {
    std::mutex mutex;
    std::condition_variable_any wake;
    const auto start = std::chrono::steady_clock::now();
    auto due = start;
    while (!stop.stop_requested()) {
        const Result<void> sent = send(visits_.next());
        const std::chrono::duration<double> elapsed = due - start;
        due += std::chrono::duration_cast<std::chrono::steady_clock::duration>(
            std::chrono::duration<double>(1 / DemoVisits::rate_at(elapsed.count()))
        );
        if (!sent && !stop.stop_requested()) {
            log(LogLevel::warning, "demo traffic: {}", sent.error().message);
            due = std::chrono::steady_clock::now() + std::chrono::seconds{1};
        }
        std::unique_lock lock{mutex};
        wake.wait_until(lock, stop, due, [] { return false; });
    }
}

}  // namespace footfall::cli
