#include "cli/demo_traffic.h"

#include "cli/demo_customers.h"
#include "events/event_json.h"

#include <gtest/gtest.h>

#include <chrono>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace footfall::cli {
namespace {

TEST(DemoVisits, are_the_same_for_the_same_seed) {
    DemoVisits first{3};
    DemoVisits second{3};
    for (int visit = 0; visit < 1000; ++visit) {
        const DemoVisit one = first.next();
        const DemoVisit other = second.next();
        EXPECT_EQ(one.object, other.object);
        EXPECT_EQ(one.token, other.token);
    }
}

TEST(DemoVisits, make_some_objects_hot_and_bring_people_back) {
    DemoVisits visits{1};
    std::map<std::string, int> by_object;
    std::set<std::pair<std::string, std::string>> seen;
    int returning = 0;
    for (int number = 0; number < 20'000; ++number) {
        const DemoVisit visit = visits.next();
        ++by_object[visit.object];
        returning += seen.emplace(visit.object, visit.token).second ? 0 : 1;
    }
    int hottest = 0;
    for (const auto& [object, count] : by_object) {
        hottest = std::max(hottest, count);
    }
    EXPECT_GT(hottest, 3 * 20'000 / static_cast<int>(by_object.size()));
    EXPECT_GT(returning, 5'000);
    EXPECT_LT(returning, 12'000);
}

TEST(DemoVisits, are_now_and_then_of_customers_who_signed_in) {
    std::set<std::string> customers;
    for (const DemoSaid& each : demo_said_before(Instant{std::chrono::hours{24 * 365 * 56}})) {
        if (each.match.ids.back().identifier == "footfall") {
            customers.insert(each.match.ids.back().id_value);
        }
    }
    DemoVisits visits{1};
    int of_customers = 0;
    for (int number = 0; number < 2'000; ++number) {
        of_customers += customers.contains(visits.next().token) ? 1 : 0;
    }
    EXPECT_GT(of_customers, 200);
}

TEST(DemoVisits, are_events_that_may_be_taken_and_a_few_are_no_peoples) {
    DemoVisits visits{2};
    std::string lines;
    int robots = 0;
    for (int number = 0; number < 1000; ++number) {
        const DemoVisit visit = visits.next();
        lines += visit.event();
        robots += visit.agent.find("Googlebot") != std::string_view::npos ? 1 : 0;
    }
    EXPECT_GT(robots, 5);
    EXPECT_LT(robots, 60);
    auto reader = events::EventReader::open(lines, events::EventForm::ndjson, Instant{});
    ASSERT_TRUE(reader);
    const events::ReadEvents read = reader->next(2000);
    EXPECT_EQ(read.good.size(), 1000U);
    EXPECT_TRUE(read.rejected.empty());
}

TEST(DemoVisits, come_at_a_rate_that_stays_above_zero) {
    for (double second = 0; second < 600; second += 0.5) {
        EXPECT_GT(DemoVisits::rate_at(second), 10);
        EXPECT_LT(DemoVisits::rate_at(second), 200);
    }
}

}  // namespace
}  // namespace footfall::cli
