#include "cli/demo_ads.h"

#include "events/event_json.h"
#include "foundation/calendar_day.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::cli {
namespace {

constexpr std::int32_t today = 20'785;  // 2026-11-28

TEST(DemoAds, are_forty_with_names_of_their_own) {
    std::set<std::string> names;
    std::set<std::string_view> publishers;
    for (const DemoAd& ad : demo_ads()) {
        names.insert(ad.name);
        publishers.insert(ad.publisher);
        EXPECT_GE(ad.price, 2'000) << ad.name;
        EXPECT_LE(ad.price, 50'000) << ad.name;
    }
    EXPECT_EQ(names.size(), 40U);
    EXPECT_EQ(publishers.size(), demo_publishers().size());
    EXPECT_EQ(demo_publishers().size(), 5U);
    EXPECT_EQ(demo_resellers().size(), 12U);
}

/// The clicks of fifty days as they are sent.
std::string some_lines() {
    std::string lines;
    for (std::int32_t day = today - 50; day < today; ++day) {
        for (const DemoClick& each : demo_clicks_of(day)) {
            lines += each.event();
        }
    }
    return lines;
}

TEST(DemoClicks, of_a_day_are_the_same_each_time_and_may_be_taken) {
    const std::string lines = some_lines();
    EXPECT_EQ(lines, some_lines());
    auto reader = events::EventReader::open(lines, events::EventForm::ndjson, Instant{});
    ASSERT_TRUE(reader);
    const events::ReadEvents read = reader->next(10'000);
    EXPECT_TRUE(read.rejected.empty());
    std::set<std::string> ids;
    std::size_t refunds = 0;
    for (const events::Event& each : read.good) {
        ids.insert(each.id);
        refunds += each.amount < 0 ? 1 : 0;
        const auto day = std::chrono::floor<std::chrono::days>(each.time).time_since_epoch();
        EXPECT_THAT(
            each.id, testing::HasSubstr(format_day(static_cast<std::int32_t>(day.count())))
        );
    }
    EXPECT_EQ(ids.size(), read.good.size());
    EXPECT_GT(refunds, 0U);
}

TEST(DemoClicks, have_a_shape_of_years_weeks_and_days) {
    std::map<int, std::size_t> by_hour;
    std::size_t weekdays = 0;
    std::size_t weekends = 0;
    std::vector<std::size_t> by_year(3);
    std::size_t refunds = 0;
    std::size_t sales = 0;
    std::set<std::string_view> resellers;
    for (std::int32_t day = today - demo_past_days; day < today; ++day) {
        const auto clicks = demo_clicks_of(day);
        const std::chrono::weekday weekday{std::chrono::sys_days{std::chrono::days{day}}};
        const bool is_weekend = weekday.iso_encoding() > 5;
        (is_weekend ? weekends : weekdays) += clicks.size();
        by_year.at(static_cast<std::size_t>(day - (today - demo_past_days)) / 365) += clicks.size();
        for (const DemoClick& each : clicks) {
            ++by_hour[static_cast<int>(
                (each.time.value_or(Instant{}) - Instant{std::chrono::days{day}}) /
                std::chrono::hours{1}
            )];
            sales += each.is_sale && each.amount > 0 ? 1 : 0;
            refunds += each.amount < 0 ? 1 : 0;
            resellers.insert(each.reseller);
        }
    }
    EXPECT_GT(weekdays / 5, weekends / 2 * 5 / 4) << "a weekday has more than a Sunday";
    EXPECT_GT(by_hour[20], 5 * by_hour[3]);
    EXPECT_GT(by_year[2], by_year[0]);
    EXPECT_GT(sales, 1'000U);
    EXPECT_GT(refunds, 50U);
    EXPECT_LT(refunds, sales / 5);
    EXPECT_EQ(resellers.size(), demo_resellers().size() + 1) << "some are nobody's";
    const std::size_t all = weekdays + weekends;
    EXPECT_GT(all, 100'000U);
    EXPECT_LT(all, 180'000U) << "the demo has to be there in seconds";
}

TEST(DemoClicks, of_now_come_at_a_rate_above_zero_and_some_twice) {
    for (double second = 0; second < 600; second += 0.5) {
        EXPECT_GT(DemoClicks::rate_at(second), 0.2);
        EXPECT_LT(DemoClicks::rate_at(second), 5);
    }
    DemoClicks clicks{1};
    int twice = 0;
    std::string before;
    for (int number = 0; number < 1'000; ++number) {
        const DemoClick click = clicks.next();
        EXPECT_FALSE(click.time);
        twice += click.event() == before ? 1 : 0;
        before = click.event();
    }
    EXPECT_GT(twice, 50);
    EXPECT_LT(twice, 200);
}

TEST(DemoRates, leave_the_network_something) {
    double most_reseller = 0;
    double most_publisher = 0;
    std::set<std::string_view> parties;
    const auto look_at = [&](const DemoRate& rate) {
        double& most = rate.is_publisher ? most_publisher : most_reseller;
        most = std::max(most, rate.percent);
        parties.insert(rate.party);
        EXPECT_FALSE(rate.reason.empty());
    };
    for (const DemoRate& each : demo_rates(today)) {
        look_at(each);
        EXPECT_LT(each.day, today);
    }
    EXPECT_EQ(parties.size(), demo_resellers().size() + demo_publishers().size());
    for (std::uint64_t number = 0; number < 500; ++number) {
        const DemoRate change = demo_backdated_rate(number, today);
        look_at(change);
        EXPECT_LT(change.day, today - 27) << "it changes the past";
        EXPECT_EQ(format_day(change.day).substr(8), "01");
    }
    EXPECT_LT(most_reseller + most_publisher, 95);
    const DemoRate rate{
        .party = "hansen-und-töchter", .day = today, .percent = 24.5, .reason = "so"
    };
    EXPECT_EQ(rate.target(), "/api/v1/resellers/hansen-und-t%C3%B6chter/rates/2026-11-28");
    EXPECT_EQ(rate.body(), R"({"reward_percent":"0.245","reason":"so"})");
}

TEST(DemoSeals, leave_the_last_month_open) {
    const auto months = demo_sealed_months(today);
    ASSERT_EQ(months.size(), 6U);
    EXPECT_EQ(format_day(months.front()), "2026-04-01");
    EXPECT_EQ(format_day(months.back()), "2026-09-01");
}

}  // namespace
}  // namespace footfall::cli
