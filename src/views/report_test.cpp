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
