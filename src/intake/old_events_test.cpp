#include "intake/old_events.h"

#include "foundation/random.h"
#include "intake/cluster_world.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::intake {
namespace {

constexpr Instant old_arrival{std::chrono::hours{1}};
constexpr Instant limit{std::chrono::hours{2}};
constexpr Instant young_arrival{std::chrono::hours{3}};
constexpr std::uint32_t lane = 3;

class OldEventsTest : public testing::Test {
protected:
    void append(std::string_view record) {
        const std::string_view records[] = {record};
        const auto appended = world_.log().append(lane, records);
        ASSERT_TRUE(appended) << appended.error().message;
    }

    void add(std::optional<std::uint64_t> source, Instant arrival = old_arrival) {
        std::string record;
        events::append_judged(
            {.event = {.action = "view", .object = "page"}, .arrival = arrival, .source = source},
            record
        );
        append(record);
        sources_.push_back(source);
    }

    void add_control() {
        std::string record;
        events::append_control(events::RulesInForce{.version = 1, .digest = "d"}, record);
        append(record);
        sources_.emplace_back();
    }

    /// A control that was said from outside.
    void add_said(std::uint64_t source) {
        std::string record;
        events::append_control(events::MonthSealed{.source = source}, record);
        append(record);
        sources_.emplace_back(source);
    }

    /// Lets all go that may, and answers where the lane begins then.
    std::uint64_t sweep(std::uint64_t bound) {
        OldEvents old{context_, lane, bound, {.before = limit}};
        for (;;) {
            const auto step = old.next();
            EXPECT_TRUE(step) << step.error().message;
            if (!step || step->next <= step->begin) {
                const auto young = old.young();
                young_ = young ? std::optional{young->arrival} : std::nullopt;
                return world_.log().begin(lane);
            }
            EXPECT_EQ(step->begin, world_.log().begin(lane));
            for (const std::uint64_t offset : step->offsets) {
                EXPECT_GE(offset, step->begin);
                EXPECT_LT(offset, step->next);
                gone_.push_back(offset);
            }
            EXPECT_TRUE(world_.log().retain(lane, step->next));
        }
    }

    /// Which records are events, for who begins here.
    std::vector<std::uint64_t> events_from(std::uint64_t begin) const {
        std::vector<std::uint64_t> events;
        events::SourceOrder order;
        for (std::uint64_t offset = begin; offset < sources_.size(); ++offset) {
            if (!order.repeats({.source = sources_[offset]})) {
                events.push_back(offset);
            }
        }
        return events;
    }

    LogWorld world_{1};
    const Context context_{.log = &world_.log()};
    std::vector<std::optional<std::uint64_t>> sources_;  ///< Of each record.
    std::vector<std::uint64_t> gone_;
    std::optional<Instant> young_;
};

TEST_F(OldEventsTest, all_goes_that_is_old_where_nothing_names_a_source) {
    add_control();
    add(std::nullopt);
    add(std::nullopt);
    add_control();
    EXPECT_EQ(sweep(3), 3U);
    EXPECT_EQ(sweep(4), 3U);
    EXPECT_EQ(gone_, (std::vector<std::uint64_t>{1, 2}));
    add(std::nullopt);
    add(std::nullopt, young_arrival);
    add(std::nullopt);
    EXPECT_EQ(sweep(7), 5U);
    EXPECT_EQ(young_, young_arrival);
}

TEST_F(OldEventsTest, nothing_goes_that_is_not_stored) {
    for (std::uint64_t source = 0; source < 10; ++source) {
        add(source);
    }
    EXPECT_EQ(sweep(0), 0U);
    EXPECT_EQ(sweep(4), 4U);
    EXPECT_EQ(gone_.size(), 4U);
    EXPECT_FALSE(young_);
}

TEST_F(OldEventsTest, the_last_event_stays_until_another_follows) {
    add(0);
    add(1);
    EXPECT_EQ(sweep(2), 1U);
    add_control();
    EXPECT_EQ(sweep(3), 1U);
    add(2, young_arrival);
    EXPECT_EQ(sweep(4), 3U);
    EXPECT_EQ(gone_, (std::vector<std::uint64_t>{0, 1}));
    EXPECT_EQ(young_, young_arrival);
}

TEST_F(OldEventsTest, what_was_said_from_outside_stays_until_an_event_follows) {
    add(0);
    add_said(1);
    EXPECT_EQ(sweep(2), 1U);
    EXPECT_EQ(gone_, (std::vector<std::uint64_t>{0}));
    add_said(1);
    EXPECT_EQ(sweep(3), 1U) << "what comes next may repeat it, too";
    add(2);
    EXPECT_EQ(sweep(4), 1U);
    add(3, young_arrival);
    EXPECT_EQ(sweep(5), 4U);
}

TEST_F(OldEventsTest, a_lane_of_which_no_event_has_gone_begins_with_its_first_record) {
    add_control();
    EXPECT_EQ(sweep(1), 0U);
    add(std::nullopt, young_arrival);
    EXPECT_EQ(sweep(2), 0U);
    EXPECT_EQ(young_, young_arrival);
}

TEST_F(OldEventsTest, a_lane_never_begins_with_a_repeat) {
    for (const std::uint64_t source : {0UL, 1UL, 2UL, 1UL, 2UL}) {
        add(source);
    }
    EXPECT_EQ(sweep(5), 2U) << "what comes next may repeat event 2, too";
    add(2);
    add(3);
    add(4, young_arrival);
    EXPECT_EQ(sweep(5), 2U) << "from record 5 on is not stored, and 5 is a repeat";
    EXPECT_EQ(sweep(6), 6U);
    EXPECT_EQ(sweep(8), 7U);
    EXPECT_EQ(gone_, (std::vector<std::uint64_t>{0, 1, 2, 6}));
}

/// More than is read at once.
TEST_F(OldEventsTest, many_repeats_are_passed_over) {
    constexpr std::uint64_t many = 2500;
    for (int judge = 0; judge < 3; ++judge) {
        for (std::uint64_t source = 0; source < many; ++source) {
            add(source);
        }
    }
    EXPECT_EQ(sweep(3 * many), many - 1);
    add(many, young_arrival);
    EXPECT_EQ(sweep(3 * many), 3 * many);
    EXPECT_EQ(gone_.size(), many);
}

TEST_F(OldEventsTest, who_begins_where_something_went_passes_over_the_same) {
    Random random{5};
    std::uint64_t next_source = 0;
    std::uint64_t bound = 0;
    for (int round = 0; round < 300; ++round) {
        for (std::uint64_t count = random.below(5); count > 0; --count) {
            if (random.below(10) == 0) {
                add_control();
            } else if (next_source > 0 && random.below(2) == 0) {
                add(random.below(next_source));
            } else if (random.below(4) == 0) {
                add_said(next_source++);
            } else {
                add(next_source++);
            }
        }
        bound += random.below(sources_.size() - bound + 1);
        const std::uint64_t begin = sweep(bound);
        ASSERT_LE(begin, bound);
        std::vector<std::uint64_t> events = events_from(0);
        std::erase_if(events, [&](std::uint64_t offset) { return offset < begin; });
        ASSERT_EQ(events_from(begin), events) << "round " << round;
    }
    EXPECT_GT(gone_.size(), 100U);
}

}  // namespace
}  // namespace footfall::intake
