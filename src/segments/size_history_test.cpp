#include "segments/size_history.h"

#include "segments/combinations.h"
#include "segments/test_segments.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

namespace footfall::segments {
namespace {

using std::chrono::days;
using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;
using testing::ElementsAre;

class SizeHistoryTest : public testing::Test {
protected:
    void SetUp() override { world_.clock().set(Instant{days{20'000}}); }

    /// Puts in more people, some of them in pairs with those of `other`.
    void add(const std::string& name, std::size_t first, std::size_t end) {
        std::vector<Member> members;
        for (std::size_t number = first; number < end; ++number) {
            members.push_back({.id = identities::id_of(fmt::format("app:{}", number))});
        }
        ASSERT_TRUE(world_.add(name, members));
        ASSERT_TRUE(world_.derive());
    }

    void keep() { ASSERT_TRUE(history_.keep()); }

    /// Minutes since the beginning, and people.
    std::vector<std::pair<long, std::uint64_t>> rows(Instant from, Instant to) {
        const auto read = history_.read("s", from, to);
        EXPECT_TRUE(read) << read.error().message;
        step_ = read ? read->step : seconds{};
        std::vector<std::pair<long, std::uint64_t>> rows;
        for (const SizeThen& each : read ? read->rows : std::vector<SizeThen>{}) {
            rows.emplace_back(
                std::chrono::floor<minutes>(each.at - Instant{days{20'000}}).count(), each.people
            );
        }
        return rows;
    }

    SegmentsWorld world_{1, false};
    SizeHistory history_{world_.segments(), world_.store(), world_.clock()};
    seconds step_{};
    const Instant begin_{days{20'000}};
};

TEST_F(SizeHistoryTest, has_what_was_counted_last_in_a_minute_and_in_an_hour) {
    add("s", 0, 3);
    keep();
    add("s", 3, 5);
    world_.clock().advance(seconds{30});
    keep();
    EXPECT_THAT(rows(begin_, begin_ + hours{1}), ElementsAre(std::pair{0, 3}))
        << "no more than once a minute";
    world_.clock().advance(minutes{5});
    keep();
    world_.clock().advance(minutes{1});
    keep();
    EXPECT_THAT(rows(begin_, begin_ + hours{1}), ElementsAre(std::pair{0, 3}, std::pair{5, 5}))
        << "only what changed";
    EXPECT_EQ(step_, minutes{1});
    EXPECT_THAT(rows(begin_, begin_ + days{30}), ElementsAre(std::pair{0, 5}));
    EXPECT_EQ(step_, hours{1});
    EXPECT_EQ(
        history_.read("nobody", begin_, begin_ + hours{1}).error().kind, ErrorKind::not_found
    );
}

TEST_F(SizeHistoryTest, what_was_written_last_holds_in_a_range_that_begins_later) {
    add("s", 0, 3);
    keep();
    for (int hour = 1; hour < 30; ++hour) {
        world_.clock().advance(hours{1});
        keep();
    }
    const Instant from = begin_ + hours{28} + minutes{20};
    EXPECT_THAT(rows(from, from + hours{1}), ElementsAre(std::pair{24 * 60, 3}))
        << "once a day it is written in any case";
    world_.clock().advance(days{3});
    EXPECT_THAT(rows(begin_ + hours{2}, begin_ + hours{20}), ElementsAre(std::pair{0, 3}));
    EXPECT_EQ(step_, hours{1}) << "minutes are kept for two days";
}

TEST_F(SizeHistoryTest, a_segment_that_is_made_again_has_a_history_of_its_own) {
    add("s", 0, 3);
    keep();
    ASSERT_TRUE(world_.segments().drop("s"));
    world_.clock().advance(minutes{2});
    add("s", 7, 8);
    keep();
    EXPECT_THAT(rows(begin_, begin_ + hours{1}), ElementsAre(std::pair{2, 1}));
}

TEST_F(SizeHistoryTest, combinations_are_who_is_in_exactly_these) {
    add("a", 0, 10);
    add("b", 5, 20);
    add("c", 8, 12);
    const std::vector<std::string> names{"a", "b", "c"};
    const auto found = combinations(world_.segments(), names);
    ASSERT_TRUE(found) << found.error().message;
    EXPECT_THAT(found->people, ElementsAre(0, 5, 8, 3, 0, 0, 2, 2));
    const std::vector<std::string> many(9, "a");
    EXPECT_EQ(combinations(world_.segments(), many).error().kind, ErrorKind::invalid_input);
}

TEST_F(SizeHistoryTest, sketches_tell_what_two_share_between_bounds) {
    add("a", 0, 4000);
    add("b", 1000, 3000);
    add("few", 0, 20);
    const std::vector<std::string> names{"a", "b", "few"};
    const auto found = sketched(world_.segments(), names);
    ASSERT_TRUE(found) << found.error().message;
    EXPECT_NEAR(static_cast<double>(found->sizes[0]), 4000, 200);
    EXPECT_EQ(found->sizes[2], 20);
    EXPECT_FALSE(found->exact[0]);
    EXPECT_LT(found->pairs[0].low, 2000);
    EXPECT_GT(found->pairs[0].high, 2000);
    EXPECT_LT(found->pairs[0].high - found->pairs[0].low, 400);
    EXPECT_NEAR(found->pairs[1].count, 20, 15) << "a and few";
    EXPECT_NEAR(found->pairs[2].count, 0, 15) << "b and few";
}

}  // namespace
}  // namespace footfall::segments
