#include "cli/demo_ledger.h"

#include "cli/batch_sender.h"
#include "foundation/calendar_day.h"
#include "foundation/json_string.h"
#include "foundation/log.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace footfall::cli {
namespace {

using http_server::Method;
using http_server::percent_encode;
using std::chrono::steady_clock;

constexpr std::chrono::minutes between_changes{3};
constexpr std::chrono::seconds first_change{45};
constexpr std::uint64_t changes_at_once = 4;  ///< So that there are some to look at from the start.
constexpr std::int32_t days_looked_at = 90;   ///< For those on which the demo rested.
constexpr double link_share = 1.0 / 3.0;

constexpr std::array platforms{
    std::string_view{"X11; Linux x86_64"},
    std::string_view{"Windows NT 10.0; Win64; x64"},
    std::string_view{"Macintosh; Intel Mac OS X 10.15"},
    std::string_view{"Android 14; Mobile"}
};

/// All clicks on links come from one address, so people differ by their browsers alone.
std::string some_browser(Random& random) {
    constexpr std::uint64_t oldest = 60;
    constexpr std::uint64_t versions = 80;
    const std::uint64_t version = oldest + random.below(versions);
    return fmt::format(
        "Mozilla/5.0 ({}; rv:{}.0) Gecko/20100101 Firefox/{}.0",
        platforms[random.below(platforms.size())],
        version,
        version
    );
}

}  // namespace

DemoLedger::DemoLedger(http_server::ServerUrl server, const Clock& clock, Options options)
    : server_{std::move(server)},
      clock_{&clock},
      options_{options},
      client_{server_},
      clicks_{options.seed},
      random_{options.seed},
      thread_{[this](const std::stop_token& stop) { run(stop); }} {}

std::int32_t DemoLedger::today() const {
    return static_cast<std::int32_t>(
        std::chrono::floor<std::chrono::days>(clock_->now()).time_since_epoch().count()
    );
}

Result<void> DemoLedger::put_rate(const DemoRate& rate) {
    TRY_VOID(client_.ask(Method::put, rate.target(), rate.body()));
    return {};
}

/// The last rate is given after the past was sent, so what has it has all of it.
Result<bool> DemoLedger::is_set_up() {
    const DemoRate last = demo_rates(today()).back();
    const std::string target = last.target();
    TRY(const auto response,
        client_.client().send(Method::get, target.substr(0, target.rfind('/'))));
    return response.status == 200 && response.body.contains(last.reason);
}

/// Whether nothing happened on a day.
Result<bool> DemoLedger::is_quiet(std::int32_t day) {
    TRY(const std::string split,
        client_.ask(
            Method::get,
            fmt::format(
                "/api/v1/ledger/split?from={0}&to={0}&currency={1}", format_day(day), demo_currency
            )
        ));
    return split.contains(R"("amount":"0")");
}

/// What should have happened on the last days on which nothing did, because the demo rested.
Result<void> DemoLedger::send_missing(const std::stop_token& stop) {
    const std::int32_t end = today();
    std::vector<std::int32_t> days;
    days.reserve(days_looked_at + 1);
    for (std::int32_t day = end - days_looked_at; day <= end && !stop.stop_requested(); ++day) {
        TRY(const bool quiet, is_quiet(day));
        if (quiet) {
            days.push_back(day);
        }
    }
    return send_days(days, stop);
}

/// What happened on these days, up to now. An event that is there already counts once: who was cut
/// short begins again.
Result<void> DemoLedger::send_days(
    std::span<const std::int32_t> days, const std::stop_token& stop
) {
    BatchSender sender{
        server_,
        "/api/v1/events",
        [](std::uint64_t, std::string_view why) { log(LogLevel::warning, "demo clicks: {}", why); },
        [&](std::chrono::seconds time) { wait_until(stop, steady_clock::now() + time); }
    };
    const Instant now = clock_->now();
    std::uint64_t number = 0;
    for (const std::int32_t day : days) {
        if (stop.stop_requested()) {
            break;
        }
        for (const DemoClick& each : demo_clicks_of(day)) {
            if (each.time < now) {
                sender.body() += each.event();
                TRY_VOID(sender.end_line(++number));
            }
        }
    }
    return sender.finish();
}

Result<void> DemoLedger::seal_months() {
    for (const std::int32_t month : demo_sealed_months(today())) {
        const std::string name = format_day(month).substr(0, std::string_view{"2026-11"}.size());
        TRY_VOID(client_.ask(
            Method::put,
            "/api/v1/ledger/months/" + name,
            R"({"state":"sealed","reason":"statements were sent"})"
        ));
    }
    return {};
}

Result<void> DemoLedger::register_ads() {
    for (const DemoAd& ad : demo_ads()) {
        TRY_VOID(client_.ask(
            Method::put,
            "/api/v1/ads/" + percent_encode(ad.name),
            fmt::format(
                R"({{"targets":["{}"],"price":"{}","currency":"{}","publisher":"{}"}})",
                ad.target,
                events::format_money(ad.price),
                demo_currency,
                ad.publisher
            )
        ));
    }
    return {};
}

Result<void> DemoLedger::set_up(const std::stop_token& stop) {
    TRY(const bool is_there, is_set_up());
    if (!is_there) {
        TRY_VOID(register_ads());
        const std::vector<DemoRate> rates = demo_rates(today());
        for (const DemoRate& rate : std::span{rates}.first(rates.size() - 1)) {
            TRY_VOID(put_rate(rate));
        }
        std::vector<std::int32_t> days(demo_past_days + 1);
        std::iota(days.begin(), days.end(), today() - demo_past_days);
        TRY_VOID(send_days(days, stop));
        if (stop.stop_requested()) {
            return {};
        }
        TRY_VOID(put_rate(rates.back()));
    } else {
        TRY_VOID(send_missing(stop));
    }
    if (options_.seals) {
        TRY_VOID(seal_months());
    }
    if (!is_there) {
        for (std::uint64_t number = 0; number < changes_at_once; ++number) {
            TRY_VOID(put_rate(demo_backdated_rate(number, today())));
        }
    }
    return {};
}

/// By a browser, whoever it was: the link says the rest.
Result<void> DemoLedger::follow_link(const DemoClick& click) {
    std::string& link = links_[{click.ad->name, click.reseller}];
    if (link.empty()) {
        TRY(const std::string answer,
            client_.ask(
                Method::get,
                fmt::format(
                    "/api/v1/ads/{}/link?reseller={}",
                    percent_encode(click.ad->name),
                    percent_encode(click.reseller)
                )
            ));
        const std::size_t path = answer.find("/r/");
        if (path == answer.npos) {
            return fail(ErrorKind::unavailable, "a link that leads nowhere: " + answer);
        }
        link = answer.substr(path, answer.find('"', path) - path);
    }
    TRY_VOID(client_.client().send(Method::get, link, {}, {{"User-Agent", some_browser(random_)}}));
    return {};
}

Result<void> DemoLedger::send_click() {
    const DemoClick click = clicks_.next();
    if (!click.is_sale && random_.fraction() < link_share) {
        return follow_link(click);
    }
    TRY_VOID(client_.ask(Method::post, "/api/v1/events", click.event()));
    return {};
}

void DemoLedger::run(const std::stop_token& stop) {
    constexpr std::chrono::seconds patience{10};
    const auto tell = [&](const Result<void>& done) {
        if (!done && !stop.stop_requested()) {
            log(LogLevel::warning, "demo clicks: {}", done.error().message);
            wait_until(stop, steady_clock::now() + patience);
        }
        return done.has_value();
    };
    while (!stop.stop_requested() && !tell(set_up(stop))) {
    }
    const auto start = steady_clock::now();
    auto due = start;
    auto change_due = start + first_change;
    while (!stop.stop_requested()) {
        tell(send_click());
        if (steady_clock::now() >= change_due) {
            tell(put_rate(demo_backdated_rate(random_(), today())));
            change_due = steady_clock::now() + between_changes;
        }
        const std::chrono::duration<double> elapsed = due - start;
        due = std::max(
            due + seconds_of(1 / DemoClicks::rate_at(elapsed.count())),
            steady_clock::now() - std::chrono::seconds{1}
        );
        wait_until(stop, due);
    }
}

}  // namespace footfall::cli
