#include "ads/history_told.h"
#include "ads/history_world.h"
#include "ads/schema.h"
#include "ads/statement.h"
#include "ads/statement_check.h"
#include "ads/test_days.h"
#include "storage/blocking.h"
#include "storage/decimal.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace footfall::ads::cases {
namespace {

using namespace std::chrono_literals;

Instant at(std::string_view date, std::chrono::microseconds after = 12h) {
    return Instant{std::chrono::days{day_named(date)}} + after;
}

events::JudgedEvent click(Instant time, events::Micros amount) {
    events::JudgedEvent judged;
    judged.arrival = time;
    judged.event.id = fmt::format("{}", time.time_since_epoch().count());
    judged.event.time = time;
    judged.event.action = "click";
    judged.event.object = "page";
    judged.event.amount = amount;
    judged.event.reseller = "r1";
    judged.event.ad = "a1";
    return judged;
}

events::Control seal(Month month, Instant said) {
    return events::MonthSealed{.month = month, .reason = {}, .author = {}, .said = said, .id = {}};
}

events::Control rate(std::string_view since, std::uint32_t share, Instant said) {
    events::RateSaid rate;
    rate.party = "r1";
    rate.effective = day_named(since);
    rate.share = share;
    rate.said = said;
    return rate;
}

IncomeQuestion question(std::string_view from, std::string_view to) {
    return {
        .party = "r1",
        .currency = "XXX",
        .range = DayRange{.from = day_named(from), .to = day_named(to)}
    };
}

/// What is answered, after it was compared with the definition.
std::vector<std::string> asked(HistoryWorld& world, const IncomeQuestion& question) {
    const auto answer = income_of(world.ledger(), question);
    EXPECT_TRUE(answer) << answer.error().message;
    const bool in_ledger_zone = !question.zone || question.zone->name() == world.zone();
    auto rows = told(question, *answer, in_ledger_zone);
    EXPECT_EQ(rows, world.brute().income(question));
    return rows;
}

/// A world of these records in one lane, all of them in tables.
void tell(HistoryWorld& world, std::vector<events::LogRecord> records) {
    for (events::LogRecord& each : records) {
        world.append(world.ledger().lane_of("r1"), std::move(each));
    }
    world.apply_all();
    world.flush();
}

/// The tutorial that one of the systems we replace was published with.
TEST(HistoryCases, the_tutorial_earns_what_its_rates_say) {
    HistoryWorld world{"UTC", at("2013-12-02"), 1, false};
    tell(
        world,
        {rate("2011-02-13", 200'000, at("2011-02-13")),
         rate("2012-01-22", 250'000, at("2012-01-22")),
         rate("2013-11-30", 300'000, at("2013-11-30")),
         click(at("2013-11-28"), 5'000),
         click(at("2013-11-29"), 7'500),
         click(at("2013-12-01"), 10'000)}
    );
    const int first = day_named("2013-11-28");
    EXPECT_EQ(
        asked(world, question("2013-11-28", "2013-12-01")),
        (std::vector<std::string>{
            fmt::format("day {} 1 0 0 5000 at 250000 open 1250", first),
            fmt::format("day {} 1 0 0 7500 at 250000 open 1875", first + 1),
            fmt::format("day {} 1 0 0 10000 at 300000 open 3000", first + 3),
            fmt::format("{} to {}: 3 0 0 22500 6125 0", first, first + 3)
        })
    );
}

/// An hour of clicks in each hour that a day has.
std::vector<std::string> hours_of(
    const std::string& ledger_zone, const std::string& zone, std::string_view date
) {
    HistoryWorld world{ledger_zone, at(date) + 48h, 1, false};
    std::vector<events::LogRecord> records{rate("2000-01-01", 500'000, at(date) - 48h)};
    for (int half = -60; half < 110; ++half) {
        records.emplace_back(click(at(date, half * 30min), 1));
    }
    tell(world, std::move(records));
    IncomeQuestion hours = question(date, date);
    hours.group_by = Grouping::hour;
    hours.zone = zone == "UTC" ? TimeZone{} : TimeZone::find(zone).value();
    return asked(world, hours);
}

TEST(HistoryCases, a_day_has_23_or_25_hours_where_clocks_are_changed) {
    constexpr std::size_t others = 2;  // the day, and the sums
    for (const std::string ledger_zone : {"UTC", "Europe/Berlin", "Asia/Kolkata"}) {
        SCOPED_TRACE(ledger_zone);
        EXPECT_EQ(hours_of(ledger_zone, "Europe/Berlin", "2026-03-29").size(), 23 + others);
        EXPECT_EQ(hours_of(ledger_zone, "Europe/Berlin", "2026-10-25").size(), 25 + others);
        EXPECT_EQ(hours_of(ledger_zone, "Europe/Berlin", "2026-10-26").size(), 24 + others);
        EXPECT_EQ(hours_of(ledger_zone, "Asia/Kathmandu", "2026-10-25").size(), 24 + others);
        // Half an hour is put on at 2:00, and taken back at 2:00, when it begins anew.
        EXPECT_EQ(hours_of(ledger_zone, "Australia/Lord_Howe", "2026-10-04").size(), 24 + others);
        EXPECT_EQ(hours_of(ledger_zone, "Australia/Lord_Howe", "2026-04-05").size(), 25 + others);
    }
}

TEST(HistoryCases, clocks_may_be_26_hours_apart) {
    for (const std::string ledger_zone : {"Pacific/Kiritimati", "Etc/GMT+12"}) {
        const std::string zone =
            ledger_zone == "Etc/GMT+12" ? "Pacific/Kiritimati" : "Pacific/Pago_Pago";
        EXPECT_EQ(hours_of(ledger_zone, zone, "2026-10-10").size(), 26U) << zone;
    }
}

/// The days of another zone begin and end elsewhere than the ledger's.
TEST(HistoryCases, all_time_is_that_of_the_zone_asked_for) {
    HistoryWorld world{"UTC", at("2025-10-05", 20h), 1, false};
    tell(
        world,
        {rate("2025-01-01", 500'000, at("2025-10-01")),
         click(at("2025-10-02", 1h), 1'000),
         click(at("2025-10-05", 19h), 2'000)}
    );
    IncomeQuestion all{.party = "r1", .currency = "XXX"};
    for (const std::string_view zone : {"America/New_York", "Asia/Kathmandu"}) {
        all.zone = TimeZone::find(zone).value();
        EXPECT_EQ(asked(world, all).size(), 3U) << zone << ": two days, and sums";
    }
}

/// Rows by ad are of the same days, and of the same time, as all others.
TEST(HistoryCases, ads_are_told_by_the_zone_and_the_day_of_as_of) {
    HistoryWorld world{"UTC", at("2025-10-05"), 1, false};
    events::JudgedEvent late = click(at("2025-10-02", 23h), 2'000);
    late.arrival = at("2025-10-04");
    tell(
        world, {rate("2025-01-01", 500'000, at("2025-10-01")), click(at("2025-10-02"), 1'000), late}
    );
    IncomeQuestion ads = question("2025-10-02", "2025-10-02");
    ads.group_by = Grouping::ad;
    EXPECT_EQ(asked(world, ads).back(), "group a1 2 0 0 3000 1500");
    ads.as_of = day_named("2025-10-03");
    EXPECT_EQ(asked(world, ads).back(), "group a1 1 0 0 1000 500");
    ads.as_of = {};
    ads.zone = TimeZone::find("Asia/Kolkata").value();
    EXPECT_EQ(asked(world, ads).back(), "group a1 1 0 0 1000 500");
}

/// Whatever was lost of the write of a party's first row.
TEST(HistoryCases, a_party_is_listed_once_its_amounts_stand) {
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        HistoryWorld world{"UTC", at("2025-10-02"), seed, true};
        tell(world, {rate("2025-01-01", 500'000, at("2025-09-02"))});
        world.append(world.ledger().lane_of("page"), click(at("2025-10-01"), 2'000));
        world.apply_all();
        world.flush_and_lose();
        world.flush();
        const auto split = split_of(world.ledger(), "XXX", std::nullopt, {});
        ASSERT_TRUE(split) << split.error().message;
        ASSERT_EQ(told(*split), "2000 1000 0") << seed;
    }
}

/// What a flush that failed had taken is no reason to leave what came since then.
TEST(HistoryCases, a_flush_of_all_writes_all_after_one_that_failed) {
    HistoryWorld world{"UTC", at("2025-10-05"), 1, false};
    const std::uint32_t lane = world.ledger().lane_of("r1");
    world.append(lane, click(at("2025-10-02"), 1'000));
    world.apply_all();
    world.refuse_a_flush();
    world.append(lane, click(at("2025-10-03"), 2'000));
    world.apply_all();
    world.flush();
    EXPECT_EQ(world.ledger().unsaved(lane), std::nullopt);
}

/// A lane is behind the seals that stand in it before a record, whatever is written of others.
TEST(HistoryCases, a_seal_that_a_lane_has_yet_to_pass_does_not_hold_in_it_after_a_restart) {
    const Month august = month_of(day_named("2025-08-01"));
    HistoryWorld world{"UTC", at("2025-10-02"), 1, false};
    const std::uint32_t lane = world.ledger().lane_of("r1");
    world.append(lane, click(at("2025-08-03"), 2'000));
    for (std::uint32_t each = 0; each < HistoryWorld::lanes; ++each) {
        if (each != lane) {
            world.append(each, seal(august, at("2025-10-01")));
        }
        world.append(each, seal(august + 1, at("2025-10-02")));
    }
    world.apply_all();
    world.flush();
    ASSERT_TRUE(Sealer{world.ledger()}.turn({}));
    const auto before = asked(world, question("2025-08-01", "2025-10-31"));
    world.restart();  // no checkpoint was taken: all comes again
    world.flush();
    EXPECT_EQ(asked(world, question("2025-08-01", "2025-10-31")), before);
}

TEST(HistoryCases, a_statement_has_what_stood_before_the_seal_whatever_was_lost_of_the_write) {
    const Month september = month_of(day_named("2025-09-01"));
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        SCOPED_TRACE(seed);
        HistoryWorld world{"UTC", at("2025-10-02"), seed, true};
        const std::uint32_t lane = world.ledger().lane_of("r1");
        world.append(lane, rate("2025-01-01", 500'000, at("2025-09-02")));
        world.append(lane, click(at("2025-09-03"), 2'000));
        world.apply_all();
        world.flush();
        world.append(lane, click(at("2025-09-04"), 4'000));
        for (std::uint32_t each = 0; each < HistoryWorld::lanes; ++each) {
            world.append(each, seal(september, at("2025-10-02")));
        }
        world.apply_all();
        world.flush_and_lose();
        const Result<void> written = Sealer{world.ledger()}.turn({});
        ASSERT_TRUE(written) << written.error().message;
        world.flush();
        const auto statement =
            statement_of(world.ledger(), PartyKind::reseller, "r1", "XXX", september);
        ASSERT_TRUE(statement) << statement.error().message;
        ASSERT_TRUE(statement->income == 3'000) << told(statement->amounts);
    }
}

/// What somebody was told for ever is held to what it was made of.
TEST(HistoryCases, a_statement_that_is_not_what_rows_and_rates_come_to_is_named) {
    const Month september = month_of(day_named("2025-09-01"));
    HistoryWorld world{"UTC", at("2025-10-02"), 1, false};
    const std::uint32_t lane = world.ledger().lane_of("r1");
    world.append(lane, rate("2025-01-01", 500'000, at("2025-09-02")));
    world.append(lane, click(at("2025-09-03"), 2'000));
    for (std::uint32_t each = 0; each < HistoryWorld::lanes; ++each) {
        world.append(each, seal(september, at("2025-10-02")));
    }
    world.apply_all();
    world.flush();
    ASSERT_TRUE(Sealer{world.ledger()}.turn({}));
    const auto differences = [&] {
        const auto seals = world.ledger().seals();
        return check_statements(world.ledger(), *seals, PartyKind::reseller, "r1", "XXX").value();
    };
    EXPECT_EQ(differences(), std::vector<std::string>{});
    const storage::Table& table = reseller_tables.sealed;
    storage::Store& store = world.ledger().store();
    const auto row = storage::read_one(
        store, table, {std::string{"r1"}, std::string{"XXX"}, std::int64_t{first_day(september)}}
    );
    ASSERT_TRUE(row && *row);
    auto changed = **row;
    changed[7] = storage::decimal_bytes(1'000'000);
    storage::Batch batch;
    batch.upsert(table, storage::views_of(changed));
    ASSERT_TRUE(storage::write_durably(store, batch));
    ASSERT_EQ(differences().size(), 1U);
    EXPECT_TRUE(differences()[0].contains("income 1.000000 stored; rows and rates have"))
        << differences()[0];
    batch.clear();
    batch.erase(table, {"r1", "XXX", std::int64_t{first_day(september)}});
    ASSERT_TRUE(storage::write_durably(store, batch));
    ASSERT_EQ(differences().size(), 1U);
    EXPECT_TRUE(differences()[0].contains("none stored")) << differences()[0];
}

/// Days whose rate changed after they had come are told wherever they stand: of changes that are
/// far apart, of one among the days of another, of one that was recorded on its own day.
TEST(HistoryCases, each_change_that_came_late_tells_of_its_days) {
    HistoryWorld world{"UTC", at("2025-06-02"), 1, false};
    tell(
        world,
        {rate("2025-01-01", 100'000, at("2024-12-31")),
         click(at("2025-01-10", 1h), 10'000),
         rate("2025-01-10", 200'000, at("2025-01-10", 2h)),
         click(at("2025-03-01"), 10'000),
         click(at("2025-03-20"), 10'000),
         click(at("2025-05-01"), 10'000),
         rate("2025-03-01", 300'000, at("2025-05-02")),
         rate("2025-03-20", 500'000, at("2025-03-21") + 24h * 43)}
    );
    const auto answer = income_of(world.ledger(), question("2025-01-01", "2025-06-01"));
    ASSERT_TRUE(answer) << answer.error().message;
    std::vector<std::string> moved;
    for (const ShownAdjustment& each : answer->report.adjustments) {
        moved.push_back(fmt::format("{} {}", each.what.day, static_cast<int>(each.difference)));
    }
    EXPECT_EQ(
        moved,
        (std::vector<std::string>{
            fmt::format("{} 1000", day_named("2025-01-10")),
            fmt::format("{} 1000", day_named("2025-03-01")),
            fmt::format("{} 1000", day_named("2025-03-20")),
            fmt::format("{} 1000", day_named("2025-05-01")),
            fmt::format("{} 2000", day_named("2025-03-20")),
            fmt::format("{} 2000", day_named("2025-05-01"))
        })
    );
}

}  // namespace
}  // namespace footfall::ads::cases
