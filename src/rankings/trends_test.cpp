#include "rankings/trends.h"

#include "foundation/clock.h"
#include "rankings/schema.h"
#include "rankings/test_trends.h"
#include "rankings/trends_wire.h"
#include "storage/blocking.h"
#include "storage/memory_store.h"
#include "storage_testing/faulty_store.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace footfall::rankings {
namespace {

constexpr std::uint32_t lane = 3;
constexpr std::array tables{&trend_state_table};

/// Passes what is asked on to the trends of another process, who says nothing of some lanes.
class OwnedElsewhere final : public projecting::Owners {
public:
    explicit OwnedElsewhere(Trends& owner) : owner_{&owner} {}

    std::optional<std::uint64_t> counted_here(std::uint32_t) override { return std::nullopt; }

    projecting::LaneAnswers ask(
        std::string_view projection,
        std::span<const projecting::LaneQuestion> asked,
        std::string_view /*of_all*/
    ) override {
        EXPECT_EQ(projection, "tests");
        ++times;
        projecting::LaneAnswers answers;
        for (const projecting::LaneQuestion& each : asked) {
            auto& told = answers.of_asked.emplace_back();
            if (each.lane != silent) {
                told = {.bytes = owner_->answer(each.lane, each.bytes).value(), .counted = 0};
            }
        }
        return answers;
    }

    int times = 0;
    std::optional<std::uint32_t> silent = {};

private:
    Trends* owner_;
};

/// Trends over a store that may fail.
class TrendsTest : public testing::Test {
protected:
    TrendsTest() : clock_{noon}, disk_{tables, clock_} {}

    std::unique_ptr<Trends> open(projecting::Owners* owners = nullptr) {
        auto trends = std::make_unique<Trends>(
            store_, clock_, Trends::Options{.job = "tests", .log = 7, .owners = owners}
        );
        const std::vector lanes{lane};
        EXPECT_TRUE(trends->begin(lanes));
        return trends;
    }

    /// Somebody new sees an object, at the next offset.
    void see(Trends& trends, const std::string& object, std::uint64_t offset) {
        const TrendFact fact{
            .action = "view",
            .object = object,
            .object_hash = hash_of(object),
            .offset = offset,
            .time = clock_.now(),
            .person = Random{offset}()
        };
        trends.apply(lane, {&fact, 1});
    }

    static double fast(Trends& trends) {
        const auto all = trends.trends("view", noon);
        return all ? all->totals.fast : -1;
    }

    ManualClock clock_;
    storage::MemoryStore disk_;
    storage::FaultyStore store_{disk_, 1, {.lose_only_the_end = true}};
};

TEST_F(TrendsTest, state_is_stored_once_an_interval_and_read_by_the_next_start) {
    auto trends = open();
    EXPECT_EQ(trends->first_unsaved(lane), std::nullopt);
    see(*trends, "/a", 10);
    see(*trends, "/a", 11);
    EXPECT_EQ(trends->first_unsaved(lane), 10U);
    ASSERT_TRUE(trends->flush(false));
    EXPECT_EQ(trends->first_unsaved(lane), 10U);
    clock_.advance(60s);
    ASSERT_TRUE(trends->flush(false));
    EXPECT_EQ(trends->first_unsaved(lane), std::nullopt);
    see(*trends, "/a", 12);
    ASSERT_TRUE(trends->flush(false));
    EXPECT_EQ(trends->first_unsaved(lane), 12U);

    const auto restarted = open();
    EXPECT_DOUBLE_EQ(fast(*restarted), 2);
    see(*restarted, "/a", 11);
    EXPECT_DOUBLE_EQ(fast(*restarted), 2) << "it is in what was stored";
    see(*restarted, "/a", 12);
    ASSERT_TRUE(restarted->flush(true));
    ASSERT_TRUE(trends->flush(true));
    EXPECT_NEAR(fast(*restarted), 3, 0.05);
    EXPECT_EQ(restarted->audit(lane).booked, restarted->audit(lane).counted);
}

TEST_F(TrendsTest, what_is_lost_with_the_store_is_written_again) {
    auto trends = open();
    see(*trends, "/a", 1);
    store_.set_options({.fail_write = 1, .lost_but_written = 0, .lose_only_the_end = true});
    std::thread store{[&] {
        while (store_.waiters() == 0) {
            std::this_thread::yield();
        }
        store_.release_writes();
    }};
    EXPECT_FALSE(trends->flush(true));
    store.join();
    EXPECT_EQ(trends->first_unsaved(lane), 1U);
    store_.set_options({.lose_only_the_end = true});
    ASSERT_TRUE(trends->flush(false)) << "it is due at once";
    EXPECT_EQ(trends->first_unsaved(lane), std::nullopt);
    EXPECT_DOUBLE_EQ(fast(*open()), 1);
}

TEST_F(TrendsTest, a_lane_that_was_dropped_is_forgotten_and_written_no_more) {
    auto trends = open();
    see(*trends, "/a", 1);
    trends->drop_lane(lane);
    EXPECT_EQ(trends->first_unsaved(lane), std::nullopt);
    ASSERT_TRUE(trends->flush(true));
    EXPECT_DOUBLE_EQ(fast(*trends), 0);
    EXPECT_DOUBLE_EQ(fast(*open()), 0);
}

TEST_F(TrendsTest, damaged_state_is_begun_anew) {
    storage::Batch batch;
    batch.upsert(
        trend_state_table,
        {std::string_view{"tests"},
         std::int64_t{7},
         std::int64_t{lane},
         std::int64_t{1},
         std::int64_t{1},
         std::string_view{"?"}}
    );
    ASSERT_TRUE(storage::write_durably(store_, batch));
    auto trends = open();
    see(*trends, "/a", 0);
    EXPECT_DOUBLE_EQ(fast(*trends), 1);
}

TEST_F(TrendsTest, other_processes_are_asked_once_and_stored_state_stands_for_who_is_silent) {
    auto owner = open();
    see(*owner, "/a", 1);
    see(*owner, "/b", 2);
    OwnedElsewhere owners{*owner};
    const auto asker = open(&owners);
    const auto all = asker->trends("view", noon);
    ASSERT_TRUE(all);
    EXPECT_EQ(owners.times, 1);
    EXPECT_FALSE(all->provisional);
    EXPECT_DOUBLE_EQ(all->totals.fast, 2);
    EXPECT_EQ(all->candidates.size(), 0U) << "below the floor";
    EXPECT_EQ(asker->hot(noon, 10).objects.size(), 2U);

    ASSERT_TRUE(owner->flush(true));
    see(*owner, "/b", 3);
    owners.silent = lane;
    const auto stored = asker->trends("view", noon);
    ASSERT_TRUE(stored);
    EXPECT_TRUE(stored->provisional);
    EXPECT_DOUBLE_EQ(stored->totals.fast, 2);
    EXPECT_EQ(stored->stored, noon);
    EXPECT_TRUE(asker->hot(noon, 10).provisional);
}

TEST(TrendsWire, questions_and_answers_come_back) {
    const TrendsTold told{
        .candidates = {{.object = "/a", .fast = 1.5, .slow = 2.5, .error = 0.5}},
        .totals = {.fast = 3, .slow = 4}
    };
    const auto read = read_trends(written_trends(told));
    ASSERT_TRUE(read);
    ASSERT_EQ(read->candidates.size(), 1U);
    EXPECT_EQ(read->candidates[0].object, "/a");
    EXPECT_EQ(read->candidates[0].fast, 1.5);
    EXPECT_EQ(read->candidates[0].slow, 2.5);
    EXPECT_EQ(read->candidates[0].error, 0.5);
    EXPECT_EQ(read->totals.fast, 3);
    EXPECT_EQ(read->totals.slow, 4);
    const auto hot = read_hot(written_hot({{.object = "/a", .events = 3}}));
    ASSERT_TRUE(hot);
    EXPECT_EQ(hot->front().events, 3U);
    const std::string question = written_question(TrendsAsked{.action = "view", .now = noon});
    EXPECT_TRUE(is_trend_question(question));
    const auto asked = read_question(question);
    ASSERT_TRUE(asked);
    EXPECT_EQ(std::get<TrendsAsked>(*asked).action, "view");
    EXPECT_EQ(std::get<TrendsAsked>(*asked).now, noon);
}

TEST(TrendsWire, whatever_else_comes_is_refused) {
    EXPECT_FALSE(is_trend_question(""));
    EXPECT_FALSE(is_trend_question("\x08\x01"));
    EXPECT_FALSE(read_question(""));
    EXPECT_FALSE(read_question(written_question(HotAsked{.now = noon}) + "\x08\x01"));
    EXPECT_FALSE(read_trends("?"));
    EXPECT_FALSE(read_hot(written_hot({{.object = "", .events = 3}})));
    EXPECT_FALSE(
        read_trends(written_trends({.candidates = {{.object = "/a", .fast = -1}}, .totals = {}}))
    );
}

}  // namespace
}  // namespace footfall::rankings
