#include "intake/judged_watch.h"

#include "events/verdict.h"
#include "intake/cluster_world.h"
#include "journal/writer.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace footfall::intake {
namespace {

using namespace std::chrono_literals;

class JudgedWatchTest : public testing::Test {
protected:
    /// As a guard appends it.
    void append(std::uint32_t lane, std::uint64_t source, bool counted) {
        events::JudgedEvent judged{
            .event = {.time = Instant{}, .action = "view", .object = "page"}, .source = source
        };
        if (!counted) {
            judged.verdict.refusal.emplace().reason = "repeat";
        }
        std::string record;
        events::append_judged(judged, record);
        append_record(lane, record);
    }

    void append_record(std::uint32_t lane, std::string_view record) {
        const auto position = world_.log().append(lane, {&record, 1});
        ASSERT_TRUE(position);
        ASSERT_TRUE(journal::wait_durable(world_.log(), *position));
    }

    static std::vector<std::uint32_t> lanes() { return {0, 1}; }

    ManualClock clock_{Instant{1'790'000'000s}};
    LogWorld world_{1};
};

TEST_F(JudgedWatchTest, tells_what_came_since_it_began) {
    append(0, 0, true);
    JudgedWatch watch{world_.log(), clock_};
    EXPECT_EQ(watch.end_of(0), 1U);
    HandFeed feed{world_.log(), watch, 2};
    ASSERT_TRUE(feed.assign(lanes()));
    ASSERT_TRUE(feed.run(10));
    EXPECT_TRUE(watch.activity_between(0, 2'000'000'000).empty()) << "it was there before";

    append(0, 1, true);
    append(1, 0, false);
    append(1, 1, true);
    ASSERT_TRUE(feed.run(10));
    clock_.advance(1s);
    append(1, 2, true);
    ASSERT_TRUE(feed.run(10));
    EXPECT_EQ(watch.end_of(0), 2U);
    EXPECT_EQ(watch.end_of(1), 3U);
    const auto seconds = watch.activity_between(0, 2'000'000'000);
    ASSERT_EQ(seconds.size(), 2U);
    EXPECT_EQ(seconds[0].second, 1'790'000'000);
    EXPECT_EQ(seconds[0].counted, 2U);
    EXPECT_EQ(seconds[0].refused, 1U);
    EXPECT_EQ(seconds[1].counted, 1U);
}

/// Of two guards, one had lost the lane.
TEST_F(JudgedWatchTest, an_event_that_two_judged_is_told_once) {
    JudgedWatch watch{world_.log(), clock_};
    HandFeed feed{world_.log(), watch, 2};
    ASSERT_TRUE(feed.assign(lanes()));
    for (const std::uint64_t source : {0U, 1U, 1U, 0U, 2U}) {
        append(0, source, true);
    }
    ASSERT_TRUE(feed.run(2));
    const auto seconds = watch.activity_between(0, 2'000'000'000);
    ASSERT_EQ(seconds.size(), 1U);
    EXPECT_EQ(seconds[0].counted, 3U);
}

/// Writes down what it is told.
class Noter final : public Onlooker {
public:
    void see(const events::JudgedEvent& judged, Instant now) override {
        seen.emplace_back(judged.source, judged.verdict.counted());
        last = now;
    }

    using Seen = std::pair<std::optional<std::uint64_t>, bool>;

    std::vector<Seen> seen;
    Instant last{};
};

TEST_F(JudgedWatchTest, onlookers_are_told_of_each_event_once) {
    append(0, 0, true);
    Noter noter;
    JudgedWatch watch{world_.log(), clock_, {&noter}};
    append(0, 1, false);
    append(0, 2, true);
    append(0, 1, true);
    for (int again = 0; again < 2; ++again) {
        HandFeed feed{world_.log(), watch, 2};
        ASSERT_TRUE(feed.assign(lanes()));
        ASSERT_TRUE(feed.run(10));
        clock_.advance(1s);
    }
    using Seen = Noter::Seen;
    EXPECT_EQ(noter.seen, (std::vector{Seen{1, false}, Seen{2, true}}));
    EXPECT_EQ(noter.last, clock_.now() - 2s);
}

TEST_F(JudgedWatchTest, what_cannot_be_read_is_passed_over_and_what_comes_again_is_told_once) {
    JudgedWatch watch{world_.log(), clock_};
    append_record(0, "no record");
    append(0, 0, true);
    append(0, 1, true);
    for (int again = 0; again < 2; ++again) {
        HandFeed feed{world_.log(), watch, 2};
        ASSERT_TRUE(feed.assign(lanes()));
        ASSERT_TRUE(feed.run(10));
    }
    ASSERT_TRUE(watch.consume(0, world_.log().read(0, 0, {}).value()));
    EXPECT_EQ(watch.end_of(0), 3U);
    EXPECT_EQ(watch.activity_between(0, 2'000'000'000).at(0).counted, 2U);
}

}  // namespace
}  // namespace footfall::intake
