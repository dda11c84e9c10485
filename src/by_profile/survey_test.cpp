#include "by_profile/survey.h"

#include "events/event_keys.h"
#include "intake/retention.h"
#include "intake/test_world.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace footfall::by_profile {
namespace {

using intake::IntakeWorld;
using std::chrono::hours;
using std::chrono::minutes;
using testing::HasSubstr;

/// Says what it was given.
class GivenProfiles final : public Profiles {
public:
    Result<std::vector<std::string>> of(std::span<const std::string> actors) override {
        asked += actors.size();
        std::vector<std::string> names;
        for (const std::string& each : actors) {
            names.push_back(sids.contains(each) ? sids.at(each) : "");
        }
        return names;
    }

    Result<Unsettled> unsettled() override { return being_written; }

    std::map<std::string, std::string> sids;
    Unsettled being_written;
    std::size_t asked = 0;
};

/// u0, u1 and so on.
std::vector<std::string> named(std::size_t count) {
    std::vector<std::string> actors(count);
    for (std::size_t at = 0; at < count; ++at) {
        actors[at] = fmt::format("u{}", at);
    }
    return actors;
}

class SurveyTest : public testing::Test {
protected:
    SurveyTest() { world_.seen().be_stored(); }

    void take(const std::string& object, const std::vector<std::string>& actors) {
        std::vector<events::Event> events;
        events.reserve(actors.size());
        for (const std::string& each : actors) {
            events.push_back(
                {.time = world_.clock().now(), .action = "view", .object = object, .actor = each}
            );
        }
        const auto taken =
            world_.intake().collect({.events = std::move(events), .arrival = world_.clock().now()});
        ASSERT_TRUE(taken) << taken.error().message;
    }

    Question about(const std::string& object) const {
        return {
            .lanes = {events::lane_of(object, IntakeWorld::secret)},
            .text = object,
            .counts = [object](const events::JudgedEvent& judged
                      ) { return judged.event.object == object; }
        };
    }

    Result<Report> ask(Question question, Limits limits = {}) {
        Survey survey{world_.intake(), profiles_, std::move(question), limits};
        for (;;) {
            TRY(auto report, survey.step());
            if (report) {
                return *std::move(report);
            }
        }
    }

    Day today() { return static_cast<Day>(TimeZone{}.day_of(world_.clock().now())); }

    IntakeWorld world_{1 << 20, true};
    GivenProfiles profiles_;
};

TEST_F(SurveyTest, counts_those_of_one_profile_once) {
    take("o", {"phone", "laptop", "ann"});
    take("other", {"bob"});
    profiles_.sids = {{"phone", "p"}, {"laptop", "p"}};
    const Report report = ask(about("o")).value();
    EXPECT_EQ(report.figures.all, (PeopleFigures{.counted = 3, .actors = 3, .people = 2}));
    EXPECT_EQ(profiles_.asked, 3U) << "nobody else was looked up";
    EXPECT_EQ(report.since, std::nullopt);
    EXPECT_FALSE(report.partial);
    EXPECT_FALSE(report.provisional);
}

TEST_F(SurveyTest, counts_events_of_several_lanes) {
    for (int object = 0; object < 40; ++object) {
        take(fmt::format("o{}", object), {fmt::format("u{}", object % 10)});
    }
    const Report report = ask({.lanes = all_lanes(),
                               .text = "view",
                               .counts = [](const events::JudgedEvent&) { return true; }}
    ).value();
    EXPECT_EQ(report.figures.all, (PeopleFigures{.counted = 40, .actors = 10, .people = 10}));
}

TEST_F(SurveyTest, is_provisional_while_a_profile_of_its_actors_is_written) {
    take("o", {"phone"});
    profiles_.being_written.actors = {"somebody else"};
    EXPECT_FALSE(ask(about("o")).value().provisional);
    profiles_.being_written.actors.emplace_back("phone");
    EXPECT_TRUE(ask(about("o")).value().provisional);
    profiles_.being_written = {.may_be_any = true};
    EXPECT_TRUE(ask(about("o")).value().provisional);
}

TEST_F(SurveyTest, says_since_when_it_knows_all_once_events_have_gone) {
    constexpr std::chrono::seconds keep = hours{48};
    const Day first_day = today();
    take("o", {"ann", "bob"});
    world_.clock().advance(hours{47});
    take("o", {"cyd"});
    const Instant young = world_.clock().now();
    world_.intake().close();
    world_.crash();
    world_.clock().advance(hours{2});
    ASSERT_EQ(intake::Retention(world_.intake(), keep).sweep().value(), 2U);

    Report report = ask(about("o")).value();
    EXPECT_EQ(report.figures.all.counted, 1U);
    const Instant since = report.since.value_or(Instant{});
    EXPECT_GE(since, young + minutes{5}) << "one may say that it was so much later";
    EXPECT_LE(since, young + minutes{6});
    EXPECT_TRUE(report.partial);

    Question question = about("o");
    question.range = DayRange{.from = first_day, .to = today()};
    EXPECT_TRUE(ask(std::move(question)).value().partial);
    world_.clock().advance(hours{24});
    question = about("o");
    question.range = DayRange{.from = today(), .to = today()};
    report = ask(std::move(question)).value();
    EXPECT_FALSE(report.partial) << "all of that day is there";
    EXPECT_TRUE(report.since);
}

TEST_F(SurveyTest, does_not_read_what_came_long_before_the_range_and_all_that_came_in_it) {
    constexpr int days = 6;
    const std::vector<std::string> actors = named(12'000);
    for (int day = 0; day < days; ++day) {
        take("o", actors);
        world_.clock().advance(hours{24});
    }
    Question question = about("o");
    question.range = DayRange{.from = today() - 3, .to = today()};
    const Report report = ask(std::move(question)).value();
    EXPECT_EQ(report.figures.all.counted, 36'000U);
    EXPECT_EQ(report.figures.all.actors, 12'000U);
    EXPECT_LE(report.looked_at, 36'000U + 20'000U);
    EXPECT_EQ(ask(about("o")).value().figures.all.counted, 72'000U);
}

TEST_F(SurveyTest, refuses_what_is_more_than_it_may_take) {
    take("o", named(2000));
    Result<Report> refused = ask(about("o"), {.records_max = 1999});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().kind, ErrorKind::invalid_input);
    EXPECT_THAT(refused.error().message, HasSubstr("more than 1999 records"));
    refused = ask(about("o"), {.bytes_max = 20'000});
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().message, HasSubstr("ask for some days"));
    EXPECT_TRUE(ask(about("o"), {.records_max = 2000}));
}

TEST_F(SurveyTest, knows_no_range_that_ends_before_it_begins_or_of_more_than_ten_years) {
    EXPECT_TRUE(check(std::nullopt));
    EXPECT_TRUE(check(DayRange{.from = 3, .to = 3}));
    EXPECT_FALSE(check(DayRange{.from = 3, .to = 2}));
    EXPECT_TRUE(check(DayRange{.from = 1, .to = 3700}));
    EXPECT_FALSE(check(DayRange{.from = 0, .to = 3700}));
}

}  // namespace
}  // namespace footfall::by_profile
