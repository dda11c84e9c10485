#include "views/report.h"

#include "sketches/standard_error.h"
#include "views/test_world.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

namespace footfall::views {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

/// The report by looking at each event.
struct Expected {
    EventCounts counts;
    std::map<Day, EventCounts> days;
    std::set<std::uint64_t> people;
    std::map<Day, std::set<std::uint64_t>> people_of_day;
};

void expect_same(const Report& report, const Expected& expected, bool utc) {
    EXPECT_EQ(report.counts.counted, expected.counts.counted);
    EXPECT_EQ(report.counts.refused, expected.counts.refused);
    const auto people = static_cast<double>(expected.people.size());
    if (expected.people.size() <= 128) {
        EXPECT_TRUE(report.exact);
        EXPECT_EQ(report.error, 0);
        EXPECT_EQ(report.people, expected.people.size());
    } else {
        EXPECT_FALSE(report.exact);
        const auto count = static_cast<double>(report.people);
        EXPECT_NEAR(count, people, 4 * report.error * people);
        // It is a whole number, and the estimate it was made from is as close as that.
        const double least = sketches::martingale_error(count, sketches::Sketch::tokens_max);
        EXPECT_GE(report.error, 0.99 * std::hypot(least, 0.5 / count));
        EXPECT_LE(report.error, 0.008);
    }
    ASSERT_EQ(report.days.size(), expected.days.size());
    auto next = expected.days.begin();
    for (const DayReport& day : report.days) {
        EXPECT_EQ(day.day, next->first);
        EXPECT_EQ(day.counts.events(), next->second.events());
        EXPECT_EQ(day.counts.counted, next->second.counted);
        EXPECT_EQ(day.counts.refused, next->second.refused);
        ASSERT_EQ(day.people.has_value(), utc);
        if (const auto who = expected.people_of_day.find(day.day); utc) {
            const auto count =
                who == expected.people_of_day.end() ? 0.0 : static_cast<double>(who->second.size());
            EXPECT_NEAR(
                static_cast<double>(day.people.value_or(0)), count, count <= 128 ? 0 : 0.04 * count
            );
        }
        ++next;
    }
}

class ReportTest : public testing::Test {
protected:
    Expected look(const World& world, const ReportQuery& query) {
        const std::optional<ReportDays> utc_days =
            query.range ? std::optional{*days_of(query)} : std::nullopt;
        Expected expected;
        for (std::size_t lane = 0; lane < World::lanes; ++lane) {
            for (const Logged& event : world.log(lane)) {
                if (event.action != query.action || event.object != query.object) {
                    continue;
                }
                const Day utc = static_cast<Day>(TimeZone{}.day_of(event.time));
                const Day day = static_cast<Day>(query.zone.day_of(event.time));
                const bool person = event.person && event.refusal.empty();
                if (person && (!utc_days || (utc >= utc_days->first && utc <= utc_days->last))) {
                    expected.people.insert(*event.person);
                }
                if (query.range && (day < query.range->from || day > query.range->to)) {
                    continue;
                }
                if (person) {
                    expected.people_of_day[day].insert(*event.person);
                }
                expected.counts.add(event.refusal, 1);
                expected.days[day].add(event.refusal, 1);
            }
        }
        return expected;
    }

    Report ask(World& world, const ReportQuery& query) {
        Result<Report> report = world.views().report(World::lane_of(query.object), query);
        EXPECT_TRUE(report) << report.error().message;
        return report ? *std::move(report) : Report{};
    }

    const Day today_ = day_of(start);
};

TEST_F(ReportTest, is_what_brute_force_says_for_any_range_and_zone) {
    Random random{11};
    World world{{.memory_bytes = 60'000, .flush_interval = 10s}};
    const std::vector<std::string> zones{"UTC", "Asia/Kolkata", "America/Los_Angeles"};
    for (int round = 0; round < 60; ++round) {
        world.add(random_events(random, 150));
        world.clock().advance(3s);
        ASSERT_TRUE(world.views().flush());
        if (round == 40) {
            ASSERT_TRUE(world.views().flush_all());
            world.take_checkpoints();
            world.restart();
        }
        for (int asked = 0; asked < 10; ++asked) {
            const std::string object(1 + random.below(1 + random.below(40)), 'o');
            const TimeZone zone = *TimeZone::find(zones[random.below(zones.size())]);
            ReportQuery query{.action = "view", .object = object, .zone = zone};
            if (random.below(3) > 0) {
                const Day from = today_ - 6 + static_cast<Day>(random.below(7));
                query.range =
                    DayRange{.from = from, .to = from + static_cast<Day>(random.below(5))};
            }
            expect_same(ask(world, query), look(world, query), zone.is_utc());
        }
    }
}

TEST_F(ReportTest, never_has_more_people_than_views) {
    World world;
    Random random{12};
    std::uint64_t estimated = 0;
    for (std::size_t object = 1; object <= 40; ++object) {
        std::vector<Logged> events;
        events.reserve(300);
        for (int visitor = 0; visitor < 300; ++visitor) {
            events.push_back(
                {.action = "view",
                 .object = std::string(object, 'o'),
                 .time = start,
                 .person = random()}
            );
        }
        world.add(events);
        const Report report =
            ask(world, {.action = "view", .object = events.front().object, .with_days = true});
        estimated += report.exact ? 0 : 1;
        EXPECT_LE(report.people, 300U);
        ASSERT_EQ(report.days.size(), 1U);
        EXPECT_LE(report.days.front().people.value_or(301), 300U);
    }
    EXPECT_EQ(estimated, 40U);
}

TEST_F(ReportTest, of_an_object_that_nobody_saw_is_empty) {
    World world;
    const Report report = ask(world, {.action = "view", .object = "nobody"});
    EXPECT_EQ(report.counts.events(), 0U);
    EXPECT_EQ(report.people, 0U);
    EXPECT_TRUE(report.exact);
    EXPECT_THAT(report.days, IsEmpty());
    EXPECT_EQ(world.views().figures().objects, 0U) << "asking leaves nothing in memory";
}

TEST_F(ReportTest, adds_numbers_and_unites_people_over_writers) {
    World world;
    Views other{world.store(), test_log + 1, test_key, world.clock(), {}};
    const auto view = [](std::uint64_t person, const char* refusal = "") {
        return Logged{
            .action = "view", .object = "page", .time = start, .person = person, .refusal = refusal
        };
    };
    world.add({view(1), view(2), view(2, "repeat")});
    const Logged also = view(2);
    const Logged third = view(3);
    const Logged refused = view(3, "not_human");
    other.apply(60, std::array{also.fact(0), third.fact(1), refused.fact(2)});
    ASSERT_TRUE(other.flush_all());
    for (int round = 0; round < 2; ++round) {
        const Report report = ask(world, {.action = "view", .object = "page"});
        EXPECT_EQ(report.counts.counted, 4U);
        EXPECT_THAT(report.counts.refused, ElementsAre(Pair("not_human", 1U), Pair("repeat", 1U)));
        EXPECT_EQ(report.counts.events(), 6U);
        EXPECT_EQ(report.people, 3U);
        ASSERT_EQ(report.days.size(), 1U);
        EXPECT_EQ(report.days[0].people, 3U);
        ASSERT_TRUE(world.views().flush_all());
    }
}

TEST_F(ReportTest, knows_what_was_applied_at_once_and_what_memory_forgot) {
    World world{{.memory_bytes = 400, .flush_interval = 0s}};
    for (std::uint64_t person = 1; person <= 50; ++person) {
        world.add({{.action = "view", .object = "page", .time = start, .person = person}});
        EXPECT_EQ(ask(world, {.action = "view", .object = "page"}).people, person);
        ASSERT_TRUE(world.views().flush());
        EXPECT_EQ(world.views().figures().objects, 0U);
        EXPECT_EQ(ask(world, {.action = "view", .object = "page"}).people, person);
    }
}

TEST_F(ReportTest, of_a_whole_life_lists_the_newest_days) {
    World world;
    std::vector<Logged> events;
    for (int day = 0; day < 500; ++day) {
        for (const auto time : {0h, 12h}) {
            events.push_back(
                {.action = "view", .object = "page", .time = start - std::chrono::days{day} - time}
            );
        }
    }
    world.add(events);
    for (int round = 0; round < 2; ++round) {
        for (const char* zone : {"UTC", "Asia/Kolkata", "America/Los_Angeles"}) {
            const Report report =
                ask(world, {.action = "view", .object = "page", .zone = *TimeZone::find(zone)});
            EXPECT_EQ(report.counts.counted, 1000U);
            EXPECT_TRUE(report.earlier_days);
            EXPECT_EQ(report.days.size(), ReportQuery::newest_days);
            std::uint64_t of_newest = 0;
            for (std::size_t at = 0; at < report.days.size(); ++at) {
                EXPECT_EQ(report.days[at].day, report.days.front().day + static_cast<Day>(at));
                of_newest += report.days[at].counts.counted == 2 ? 1 : 0;
            }
            EXPECT_GE(of_newest, ReportQuery::newest_days - 1) << "the oldest is whole";
            EXPECT_EQ(report.days.front().counts.counted, 2U) << zone;
        }
        ASSERT_TRUE(world.views().flush_all());
        world.take_checkpoints();
        world.restart();
    }
}

TEST_F(ReportTest, of_a_whole_life_leaves_out_the_day_that_it_knows_in_part) {
    World world;
    const Instant midnight{std::chrono::days{today_}};
    std::vector<Logged> events{{.action = "view", .object = "page", .time = midnight + 48h}};
    for (int pair = 0; pair < 400; ++pair) {
        // The evening of a UTC day and the morning of the next: one day in India, and every other.
        const Instant end = midnight - std::chrono::days{2 * pair};
        events.push_back({.action = "view", .object = "page", .time = end + 3h});
        events.push_back({.action = "view", .object = "page", .time = end - 2h});
    }
    world.add(events);
    const Report report =
        ask(world, {.action = "view", .object = "page", .zone = *TimeZone::find("Asia/Kolkata")});
    EXPECT_TRUE(report.earlier_days);
    ASSERT_EQ(report.days.size(), 184U) << "of 368 UTC days";
    EXPECT_EQ(report.days.front().counts.counted, 2U);
}

TEST_F(ReportTest, takes_quarter_hours_apart_where_clocks_change) {
    World world;
    const TimeZone berlin = *TimeZone::find("Europe/Berlin");
    const Day long_day = 20'751;  // 2026-10-25
    std::vector<Logged> events;
    for (Instant time = berlin.start_of(long_day - 1); time < berlin.end_of(long_day + 1);
         time += 15min) {
        events.push_back({.action = "view", .object = "page", .time = time + 7min});
    }
    world.add(events);
    const Report report =
        ask(world,
            {.action = "view",
             .object = "page",
             .range = DayRange{.from = long_day - 1, .to = long_day},
             .zone = berlin});
    ASSERT_EQ(report.days.size(), 2U);
    EXPECT_EQ(report.days[0].counts.counted, 96U);
    EXPECT_EQ(report.days[1].counts.counted, 100U);
    EXPECT_EQ(report.counts.counted, 196U);
}

TEST_F(ReportTest, deals_events_out_to_hours_of_any_zone) {
    Random random{12};
    World world{{.memory_bytes = 60'000, .flush_interval = 10s}};
    for (int round = 0; round < 20; ++round) {
        world.add(random_events(random, 150));
        world.clock().advance(3s);
        ASSERT_TRUE(world.views().flush());
        const std::string object(1 + random.below(8), 'o');
        for (const char* const name : {"UTC", "Asia/Kolkata", "America/Los_Angeles"}) {
            const TimeZone zone = *TimeZone::find(name);
            const DayRange range{
                .from = today_ - 1 - static_cast<Day>(random.below(4)), .to = today_ - 1
            };
            std::map<Instant, EventCounts> expected;
            for (const Logged& event : world.log(World::lane_of(object))) {
                const auto day = static_cast<Day>(zone.day_of(event.time));
                if (event.action == "view" && event.object == object && day >= range.from &&
                    day <= range.to) {
                    expected[zone.hour_of(event.time)].add(event.refusal, 1);
                }
            }
            const Report report =
                ask(world,
                    {.action = "view",
                     .object = object,
                     .range = range,
                     .zone = zone,
                     .with_hours = true});
            ASSERT_EQ(report.hours.size(), 24 * static_cast<std::size_t>(range.to - range.from + 1))
                << name;
            for (Instant begin = zone.start_of(range.from); const HourReport& hour : report.hours) {
                EXPECT_EQ(hour.begin, begin);
                EXPECT_EQ(hour.counts.counted, expected[begin].counted);
                EXPECT_EQ(hour.counts.refused, expected[begin].refused);
                begin += 1h;
            }
        }
    }
}

TEST_F(ReportTest, lists_the_hours_that_a_day_has_where_clocks_change) {
    struct Case {
        const char* zone;
        Day day;
        std::vector<std::chrono::minutes> lengths;  ///< Of the hours that are not of 60 minutes.
        std::size_t hours;
    };

    const std::vector<Case> cases{
        {.zone = "Europe/Berlin", .day = 20'751, .lengths = {}, .hours = 25},  // 2026-10-25
        {.zone = "Europe/Berlin", .day = 20'541, .lengths = {}, .hours = 23},  // 2026-03-29
        {.zone = "Asia/Kolkata", .day = 20'751, .lengths = {}, .hours = 24},
        {.zone = "Australia/Lord_Howe", .day = 20'548, .lengths = {30min}, .hours = 25},
        {.zone = "Australia/Lord_Howe", .day = 20'730, .lengths = {30min}, .hours = 24},
        {.zone = "Pacific/Apia", .day = 15'338, .lengths = {}, .hours = 0}  // 2011-12-30
    };
    for (const auto& [name, day, lengths, hours] : cases) {
        World world;
        const TimeZone zone = *TimeZone::find(name);
        std::vector<Logged> events;
        for (Instant time = zone.start_of(day) - 1h; time < zone.end_of(day) + 1h; time += 15min) {
            events.push_back({.action = "view", .object = "page", .time = time + 7min});
        }
        world.add(events);
        const Report report =
            ask(world,
                {.action = "view",
                 .object = "page",
                 .range = DayRange{.from = day, .to = day},
                 .zone = zone,
                 .with_hours = true});
        EXPECT_EQ(report.hours.size(), hours) << name;
        std::vector<std::chrono::minutes> others;
        Instant next = zone.start_of(day);
        std::uint64_t counted = 0;
        for (const HourReport& hour : report.hours) {
            EXPECT_EQ(hour.begin, next) << name;
            const auto length = static_cast<int>(hour.counts.counted) * 15min;
            if (length != 60min) {
                others.push_back(length);
            }
            next += length;
            counted += hour.counts.counted;
        }
        EXPECT_EQ(next, zone.end_of(day)) << name;
        EXPECT_EQ(others, lengths) << name;
        EXPECT_EQ(counted, report.counts.counted) << name;
    }
}

TEST_F(ReportTest, lists_hours_without_events_and_only_if_asked) {
    World world;
    const ReportQuery quiet{
        .action = "view",
        .object = "page",
        .range = DayRange{.from = today_, .to = today_ + 1},
        .with_hours = true
    };
    const Report report = ask(world, quiet);
    ASSERT_EQ(report.hours.size(), 48U);
    EXPECT_EQ(report.hours.back().begin, Instant{std::chrono::days{today_ + 1}} + 23h);
    EXPECT_EQ(report.hours.back().counts.events(), 0U);
    EXPECT_THAT(report.days, IsEmpty());
    ReportQuery days = quiet;
    days.with_hours = false;
    EXPECT_THAT(ask(world, days).hours, IsEmpty());
}

TEST_F(ReportTest, refuses_hours_of_a_whole_life_or_of_a_range_that_is_too_long) {
    World world;
    const auto refusal = [&](std::optional<DayRange> range) {
        const Result<Report> report = world.views().report(
            0, {.action = "view", .object = "page", .range = range, .with_hours = true}
        );
        return report ? "" : report.error().message;
    };
    EXPECT_EQ(refusal(DayRange{.from = 1, .to = ReportQuery::longest_range_by_hour}), "");
    EXPECT_THAT(
        refusal(DayRange{.from = 0, .to = ReportQuery::longest_range_by_hour}),
        testing::HasSubstr("at most 31 days; this one has 32")
    );
    EXPECT_THAT(refusal({}), testing::HasSubstr("at most 31 days"));
}

TEST_F(ReportTest, refuses_ranges_that_are_none_or_too_long) {
    World world;
    const auto refused = [&](Day from, Day to) {
        const Result<Report> report = world.views().report(
            0, {.action = "view", .object = "page", .range = DayRange{.from = from, .to = to}}
        );
        return !report && report.error().kind == ErrorKind::invalid_input;
    };
    EXPECT_FALSE(refused(100, 100));
    EXPECT_FALSE(refused(1, ReportQuery::longest_range));
    EXPECT_TRUE(refused(0, ReportQuery::longest_range));
    EXPECT_TRUE(refused(100, 99));
    EXPECT_TRUE(refused(lifetime, std::numeric_limits<Day>::max()));
}

TEST_F(ReportTest, says_when_the_store_does_not_answer) {
    World world;
    world.store().set_options({.fail_read = 1});
    const Result<Report> report = world.views().report(0, {.action = "view", .object = "page"});
    ASSERT_FALSE(report);
    EXPECT_EQ(report.error().kind, ErrorKind::timed_out);
}

}  // namespace
}  // namespace footfall::views
