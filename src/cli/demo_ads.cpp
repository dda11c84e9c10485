#include "cli/demo_ads.h"

#include "events/rfc3339.h"
#include "foundation/calendar_day.h"
#include "foundation/json_string.h"
#include "http_server/client.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <numbers>
#include <numeric>

namespace footfall::cli {
namespace {

using events::Micros;
using std::chrono::seconds;
using std::chrono::sys_days;

constexpr std::array campaigns{
    std::string_view{"Northwind Trekking: tents and sleeping bags for cold nights"},
    std::string_view{"Bergmann & Söhne: Küchenmesser, von Hand geschmiedet"},
    std::string_view{"Halcyon Rail: two nights to Lisbon for the price of one"},
    std::string_view{"Little Oak Nursery: places for September, open evening on the 14th"},
    std::string_view{"Café Lumière: beans by post, the first bag is free"},
    std::string_view{"Meridian Savings: instant access account, 3.1 % until spring"},
    std::string_view{"Kestrel Bicycles: winter service with collection and return"},
    std::string_view{"Ostsee-Ferienhäuser: last minute, sea view from the terrace"}
};
constexpr std::array formats{
    std::string_view{"leaderboard 728x90"},
    std::string_view{"medium rectangle 300x250"},
    std::string_view{"skyscraper 160x600"},
    std::string_view{"billboard 970x250"},
    std::string_view{"newsletter"}
};
constexpr std::size_t ads_count = campaigns.size() * formats.size();
constexpr std::array resellers{
    std::string_view{"adriatic-media"},
    std::string_view{"blue-harbour-partners"},
    std::string_view{"clickworks-gmbh"},
    std::string_view{"dorset-digital"},
    std::string_view{"emma"},
    std::string_view{"ferrum-performance-marketing"},
    std::string_view{"globe-and-lantern-affiliates"},
    std::string_view{"hansen-und-töchter"},
    std::string_view{"iberia-anuncios"},
    std::string_view{"juniper-lane-media-services-international"},
    std::string_view{"kiosk-42"},
    std::string_view{"lumen"}
};
constexpr std::array publishers{
    std::string_view{"the-evening-courier"},
    std::string_view{"radio-fjord"},
    std::string_view{"gartenfreunde.example"},
    std::string_view{"city-guide-barcelona"},
    std::string_view{"the-daily-cartographer"}
};
constexpr std::array reasons{
    std::string_view{"volume bonus, agreed after the month had ended"},
    std::string_view{"contract signed late; it holds from the first of the month"},
    std::string_view{"a typing error in the last change"},
    std::string_view{"campaign share, raised for a trial"},
    std::string_view{"back to the usual share after the trial"}
};
/// Of a thousand clicks of a day, in each of its hours.
constexpr std::array<unsigned, 24> by_hour{14, 9,  6,  5,  6,  10, 19, 32, 44, 52, 57, 60,
                                           66, 58, 53, 51, 52, 54, 58, 66, 74, 70, 51, 33};

constexpr double clicks_a_day = 120;
constexpr double sales_share = 0.015;
constexpr Micros sale_clicks = 15;  ///< What a sale pays, in clicks.
constexpr double refunded_share = 0.08;
constexpr double unaccompanied_share = 0.15;  ///< Of clicks without a reseller.
constexpr double twice_share = 0.12;
constexpr std::uint64_t people = 20'000;
constexpr Micros unit = 500;  ///< Amounts are multiples of 0.0005.

double share_of_ad(std::size_t ad) {
    return 1 / std::pow(static_cast<double>((ad * 17) % ads_count) + 3, 0.7);
}

const DemoAd& some_ad(Random& random) {
    static const std::vector<double> up_to = [] {
        std::vector<double> sums(ads_count);
        for (std::size_t ad = 0; ad < ads_count; ++ad) {
            sums[ad] = share_of_ad(ad) + (ad == 0 ? 0 : sums[ad - 1]);
        }
        return sums;
    }();
    const double place = random.fraction() * up_to.back();
    const auto at =
        static_cast<std::size_t>(std::ranges::upper_bound(up_to, place) - up_to.begin());
    return demo_ads()[std::min(at, ads_count - 1)];
}

/// Three resellers sell an ad, the first of them most of it.
std::string_view some_reseller(const DemoAd& ad, Random& random) {
    const auto number = static_cast<std::size_t>(&ad - demo_ads().data());
    const double draw = random.fraction();
    if (draw < unaccompanied_share) {
        return "";
    }
    const std::size_t place = draw < 0.65 ? number * 5 : draw < 0.88 ? number * 7 + 3 : number + 8;
    return resellers[place % resellers.size()];
}

DemoClick some_click(Random& random) {
    DemoClick click{.ad = &some_ad(random)};
    click.reseller = some_reseller(*click.ad, random);
    click.actor = fmt::format("visitor-{}", random.below(people));
    click.is_sale = random.fraction() < sales_share;
    const double around = 0.8 + 0.4 * random.fraction();
    const auto price =
        static_cast<double>(click.is_sale ? sale_clicks * click.ad->price : click.ad->price);
    click.amount = std::max<Micros>(4, std::llround(price * around / unit)) * unit;
    return click;
}

double clicks_expected(std::int32_t day, Random& random) {
    const std::chrono::year_month_day date{sys_days{std::chrono::days{day}}};
    const std::chrono::weekday weekday{sys_days{std::chrono::days{day}}};
    constexpr double year = 365.25;
    constexpr std::int32_t around_2026 = 20'454;
    const double growth = std::max(0.3, 1 + 0.22 * (day - around_2026) / year);
    const double season = 1 + 0.22 * std::cos(2 * std::numbers::pi * (day - 20'790) / year);
    const bool is_weekend = weekday == std::chrono::Sunday || weekday == std::chrono::Saturday;
    const bool is_before_christmas =
        date.month() == std::chrono::December && static_cast<unsigned>(date.day()) < 24;
    return clicks_a_day * growth * season * (is_weekend ? 0.62 : 1) *
           (is_before_christmas ? 1.35 : 1) * (0.88 + 0.24 * random.fraction());
}

Instant some_time(std::int32_t day, Random& random) {
    static const unsigned all = std::accumulate(by_hour.begin(), by_hour.end(), 0U);
    auto left = static_cast<unsigned>(random.below(all));
    std::size_t hour = 0;
    while (left >= by_hour[hour]) {
        left -= by_hour[hour++];
    }
    return Instant{std::chrono::days{day} + std::chrono::hours{hour}} +
           seconds{random.below(3'600)};
}

std::chrono::year_month month_of(std::int32_t day) {
    const std::chrono::year_month_day date{sys_days{std::chrono::days{day}}};
    return date.year() / date.month();
}

std::int32_t first_day(std::chrono::year_month month) {
    return static_cast<std::int32_t>(sys_days{month / 1}.time_since_epoch().count());
}

/// The share that somebody begins with.
double base_percent(bool is_publisher, std::size_t number) {
    return is_publisher ? 36 + 2 * static_cast<double>(number)
                        : 15 + static_cast<double>(number * 7 % resellers.size());
}

}  // namespace

std::span<const DemoAd> demo_ads() {
    static const std::vector<DemoAd> ads = [] {
        std::vector<DemoAd> all(ads_count);
        for (std::size_t number = 0; number < ads_count; ++number) {
            const std::size_t campaign = number % campaigns.size();
            const std::size_t format = number / campaigns.size();
            all[number] = {
                .name = fmt::format("{}, {}", campaigns[campaign], formats[format]),
                .target =
                    fmt::format("https://shop-{}.example/landing/{}", campaign + 1, format + 1),
                .price = static_cast<Micros>(2 + number * 29 % 49) * 1'000,
                .publisher = publishers[(number * 3 + format) % publishers.size()]
            };
        }
        return all;
    }();
    return ads;
}

std::span<const std::string_view> demo_resellers() {
    return resellers;
}

std::span<const std::string_view> demo_publishers() {
    return publishers;
}

std::string DemoClick::event() const {
    std::string line = "{";
    if (!id.empty()) {
        line += fmt::format(R"("id":"{}",)", id);
    }
    if (time) {
        line += fmt::format(R"("time":"{}",)", events::format_rfc3339(*time));
    }
    if (!reseller.empty()) {
        line += fmt::format(R"("reseller":{},)", json_string(reseller));
    }
    return line + fmt::format(
                      R"("action":"{}","object":{},"actor":"{}","amount":"{}","currency":"{}",)"
                      R"("publisher":{}}})"
                      "\n",
                      is_sale ? "sale" : "click",
                      json_string(ad->name),
                      actor,
                      events::format_money(amount),
                      demo_currency,
                      json_string(ad->publisher)
                  );
}

std::vector<DemoClick> demo_clicks_of(std::int32_t day) {
    Random random{static_cast<std::uint64_t>(day)};
    const auto number = static_cast<std::size_t>(clicks_expected(day, random));
    std::vector<DemoClick> clicks;
    clicks.reserve(number + number / 8);
    const std::string date = format_day(day);
    for (std::size_t each = 0; each < number; ++each) {
        DemoClick click = some_click(random);
        click.id = fmt::format("demo-{}-{}", date, each);
        click.time = some_time(day, random);
        const bool is_refunded = click.is_sale && random.fraction() < refunded_share;
        clicks.push_back(std::move(click));
        if (is_refunded) {
            DemoClick refund = clicks.back();
            refund.id += "-refund";
            refund.amount = -refund.amount;
            clicks.push_back(std::move(refund));
        }
    }
    return clicks;
}

DemoClick DemoClicks::next() {
    if (again_) {
        DemoClick click = *std::move(again_);
        again_.reset();
        return click;
    }
    DemoClick click = some_click(random_);
    if (random_.fraction() < twice_share) {
        again_ = click;
    }
    return click;
}

double DemoClicks::rate_at(double seconds) {
    using std::numbers::pi;
    return 1.4 + 0.7 * std::sin(2 * pi * seconds / 61) + 0.4 * std::sin(2 * pi * seconds / 13);
}

std::string DemoRate::target() const {
    return fmt::format(
        "/api/v1/{}/{}/rates/{}",
        is_publisher ? "publishers" : "resellers",
        http_server::percent_encode(party),
        format_day(day)
    );
}

std::string DemoRate::body() const {
    return fmt::format(
        R"({{"reward_percent":"{:.3f}","reason":{}}})", percent / 100, json_string(reason)
    );
}

std::vector<DemoRate> demo_rates(std::int32_t today) {
    std::vector<DemoRate> rates;
    rates.reserve(3 * resellers.size() + 2 * publishers.size());
    const std::int32_t begin = today - demo_past_days;
    for (std::size_t number = 0; number < resellers.size(); ++number) {
        const double base = base_percent(false, number);
        const auto later = static_cast<std::int32_t>(number * 11);
        rates.push_back(
            {.party = resellers[number], .day = begin, .percent = base, .reason = "first contract"}
        );
        rates.push_back(
            {.party = resellers[number],
             .day = begin + 330 + later,
             .percent = base + 2.5,
             .reason = "second year"}
        );
        rates.push_back(
            {.party = resellers[number],
             .day = begin + 690 + later,
             .percent = base + 5,
             .reason = "third year"}
        );
    }
    for (std::size_t number = 0; number < publishers.size(); ++number) {
        const double base = base_percent(true, number);
        const auto later = static_cast<std::int32_t>(number * 40);
        rates.push_back(
            {.is_publisher = true,
             .party = publishers[number],
             .day = begin,
             .percent = base,
             .reason = "first contract"}
        );
        rates.push_back(
            {.is_publisher = true,
             .party = publishers[number],
             .day = begin + 500 + later,
             .percent = base + 1.5,
             .reason = "new contract"}
        );
    }
    return rates;
}

DemoRate demo_backdated_rate(std::uint64_t number, std::int32_t today) {
    Random random{number};
    constexpr std::uint64_t one_in = 4;  // of these changes is a publisher's
    const bool is_publisher = number % one_in == one_in - 1;
    const std::size_t all = is_publisher ? publishers.size() : resellers.size();
    const std::size_t party = random.below(all);
    const int months_ago = 1 + static_cast<int>(random.below(5));
    return {
        .is_publisher = is_publisher,
        .party = is_publisher ? publishers[party] : resellers[party],
        .day = first_day(month_of(today) - std::chrono::months{months_ago}),
        .percent =
            base_percent(is_publisher, party) + 3 + 0.5 * static_cast<double>(random.below(12)),
        .reason = reasons[random.below(reasons.size())]
    };
}

std::vector<std::int32_t> demo_sealed_months(std::int32_t today) {
    constexpr int sealed_one_by_one = 6;
    std::vector<std::int32_t> months;
    months.reserve(sealed_one_by_one);
    for (int ago = sealed_one_by_one + 1; ago > 1; --ago) {
        months.push_back(first_day(month_of(today) - std::chrono::months{ago}));
    }
    return months;
}

}  // namespace footfall::cli
