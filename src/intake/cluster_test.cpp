// Events that come by a log of events: collector, guard and follower, each with what it writes to
// failing on its own.

#include "intake/cluster_fixture.h"
#include "projecting/lane_walk.h"
#include "storage/blocking.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <ranges>
#include <string>
#include <string_view>
#include <tuple>

namespace footfall::intake {
namespace {

TEST_F(ClusterTest, rows_come_after_their_records_are_durable) {
    judged_.store().set_options({.hold_writes = true});
    send();
    ASSERT_TRUE(guard_feed_->run(100));
    std::size_t rows = 0;
    for (std::uint32_t lane = 0; lane < JudgeLanes::count; ++lane) {
        for (const auto& [offset, event] : records(events_.log(), lane)) {
            const auto row = storage::read_one(
                *store_,
                event_by_id_table,
                {signed_of(events::id_hash(event.event.id, cluster_secret)), event.event.object}
            );
            ASSERT_TRUE(row);
            rows += *row ? 1 : 0;
        }
    }
    EXPECT_EQ(rows, 0U);
    finish();
    crash_all();
    finish();
    expect_exact();
}

TEST_F(ClusterTest, crashes_lose_nothing_and_count_nothing_twice) {
    for (int round = 0; round < 40; ++round) {
        const bool hold_rows = random_.below(2) == 0;
        store_->set_options({.hold_writes = hold_rows});
        judged_.store().set_options({.hold_writes = true});
        for (std::uint64_t batches = random_.below(5); batches > 0; --batches) {
            send();
            ASSERT_TRUE(guard_feed_->run(1 + random_.below(20)));
            judged_.store().release_writes(random_.below(judged_.store().held_writes() + 1));
            store_->release_writes(random_.below(store_->held_writes() + 1));
            ASSERT_TRUE(follower_feed_->run(1 + random_.below(20)));
        }
        if (random_.below(3) == 0) {  // so that followers begin at checkpoints, too
            store_->set_options({});
            store_->release_writes();
            follower_feed_->revoke(all_lanes(), false);
        }
        crash_all();
    }
    finish();
    crash_all();  // the rows of the last events are written at the latest when they are read again
    finish();
    expect_exact();
    EXPECT_GT(events_seen_, 1000U);
    EXPECT_GT(controls_seen_, 100U);
}

TEST_F(ClusterTest, a_projection_that_is_added_later_is_told_all_that_was_judged) {
    const auto run = [&](int rounds) {
        for (; rounds > 0; --rounds) {
            send();
            ASSERT_TRUE(guard_feed_->run(1 + random_.below(20)));
            ASSERT_TRUE(follower_feed_->run(1 + random_.below(20)));
            if (random_.below(3) == 0) {
                follower_feed_->revoke(all_lanes(), random_.below(2) == 0);
                crash_all();
            }
        }
    };
    run(20);
    with_later_ = true;
    stop_follower();
    start_follower();
    run(20);
    finish();
    crash_all();
    finish();
    expect_exact();
    EXPECT_GT(events_seen_, 300U);
    EXPECT_TRUE(std::ranges::equal(std::views::keys(later_.seen()), std::views::keys(seen_.seen())))
        << later_.seen().size() << " of " << seen_.seen().size();
}

TEST_F(ClusterTest, what_a_log_or_a_store_loses_is_made_again) {
    for (int round = 0; round < 12; ++round) {
        store_->set_options({.lost_but_written = 0.5, .hold_writes = true});
        judged_.store().set_options({.hold_writes = true});
        for (std::uint64_t batches = 1 + random_.below(4); batches > 0; --batches) {
            send();
            ASSERT_TRUE(guard_feed_->run(1 + random_.below(20)));
            judged_.store().release_writes(random_.below(judged_.store().held_writes() + 1));
            store_->release_writes(random_.below(store_->held_writes() + 1));
        }
        store_->set_options({.lost_but_written = 0.5});
        judged_.store().set_options({});
        if (random_.below(2) == 0) {
            judged_.store().lose_writes();
            store_->release_writes();
        } else {
            store_->lose_writes();
            judged_.store().release_writes();
        }
        finish();
        // Lanes go and come afterwards, too.
        const std::vector<std::uint32_t> some{0, 1, static_cast<std::uint32_t>(2 + round)};
        guard_feed_->revoke(some, false);
        const Result<void> assigned = guard_feed_->assign(some);
        ASSERT_TRUE(assigned) << assigned.error().message;
    }
    finish();
    crash_all();
    finish();
    expect_exact();
    EXPECT_GT(events_seen_, 300U);
}

TEST_F(ClusterTest, lanes_go_from_one_guard_to_another_and_back) {
    for (int round = 0; round < 10; ++round) {
        send();
        ASSERT_TRUE(guard_feed_->run(5));
        const std::vector<std::uint32_t> some{
            static_cast<std::uint32_t>(random_.below(32)),
            static_cast<std::uint32_t>(32 + random_.below(32))
        };
        const bool lost = random_.below(2) == 0;
        guard_feed_->revoke(some, lost);
        follower_feed_->revoke(some, lost);
        send();
        ASSERT_TRUE(guard_feed_->run(5));
        const Result<void> assigned = guard_feed_->assign(some);
        ASSERT_TRUE(assigned) << assigned.error().message;
        ASSERT_TRUE(follower_feed_->assign(some));
    }
    finish();
    crash_all();
    finish();
    expect_exact();
}

TEST_F(ClusterTest, lanes_that_are_taken_side_by_side_are_as_exact) {
    lanes_at_once_ = 4;
    crash_all();
    for (int round = 0; round < 20; ++round) {
        for (int batches = 0; batches < 10; ++batches) {
            send();
        }
        ASSERT_TRUE(guard_feed_->run(3));
        ASSERT_TRUE(follower_feed_->run(3));
        if (random_.below(4) == 0) {
            crash_all();
        }
    }
    finish();
    crash_all();
    finish();
    expect_exact();
    EXPECT_GT(events_seen_, 1000U);
}

/// Also where rules on rates look back further than those against repeats, which find in the store
/// what they have forgotten.
TEST_F(ClusterTest, who_takes_a_lane_over_knows_who_did_too_much_there) {
    rules_ = std::make_shared<const guard::RuleSet>(
        guard::RuleSet::read(
            "[[rule]]\nname = \"again\"\nkind = \"repeat\"\nwindow = \"10s\"\n"
            "[[rule]]\nname = \"too_many\"\nkind = \"rate\"\nper = \"actor\"\n"
            "limit = 3\nwindow = \"6h\"\n",
            {}
        )
            .value()
    );
    stop_guard();
    start_guard();
    view_page("reader", 1, 3);
    view_page("other", 600, 600);
    ASSERT_TRUE(guard_feed_->run(1000));
    guard_feed_->revoke(all_lanes(), false);
    stop_guard();
    start_guard();
    const std::uint32_t lane = view_page("reader", 1, 1);
    ASSERT_TRUE(guard_feed_->run(1000));
    const events::JudgedEvent last = records(judged_.log(), lane).back().second;
    ASSERT_EQ(last.event.actor, "reader 0");
    EXPECT_EQ(reason_of(last), "too_many");
}

TEST_F(ClusterTest, a_read_that_fails_has_few_events_asked_for_again) {
    constexpr std::size_t sent = 3'000;
    Arrived arrived{.arrival = clock_.now()};
    for (std::size_t event = 0; event < sent; ++event) {
        arrived.events.push_back(
            {.id = fmt::format("id {}", event),
             .time = clock_.now(),
             .action = "view",
             .object = "page"}
        );
    }
    LogCollector collector{events_.log(), *store_, clock_, cluster_secret};
    ASSERT_TRUE(collector.collect(std::move(arrived)));
    store_->set_options({.fail_read = 0.7});
    std::size_t failures = 0;
    while (!guard_feed_->run(sent)) {
        ++failures;
        ASSERT_LT(failures, 1'000U);
    }
    EXPECT_GT(failures, 10U);
    // A portion that failed as a whole would have asked for all of them again.
    EXPECT_LT(intake_->figures().ids_looked_up - sent, failures * 100);
    finish();
    expect_exact();
}

TEST_F(ClusterTest, a_control_is_passed_on_once_however_often_it_is_read) {
    const std::uint32_t lane = view_page("before", 1, 1);
    const std::array lanes{lane};
    LogCollector collector{events_.log(), *store_, clock_, cluster_secret};
    ASSERT_TRUE(collector.say(events::RateSaid{.party = "page", .share = 1, .id = "a"}, lanes));
    view_page("behind", 1, 1);
    ASSERT_TRUE(collector.say(events::MonthSealed{.month = 1, .id = "b"}, lanes));
    for (int guard = 0; guard < 3; ++guard) {
        ASSERT_TRUE(guard_feed_->run(100));
        ASSERT_TRUE(intake_->pass_on(lane, events::MonthSealed{.id = "b", .source = 3}));
        EXPECT_EQ(judged_.log().end(lane), 4U);
        EXPECT_EQ(intake_->next_source(lane), 4U);
        stop_guard();
        start_guard();
    }
    finish();
    expect_exact();
}

/// As after a guard that did not know that it had lost the lane.
TEST_F(ClusterTest, a_control_that_the_judged_log_has_twice_is_told_once) {
    const std::uint32_t lane = view_page("before", 1, 1);
    const std::array lanes{lane};
    LogCollector collector{events_.log(), *store_, clock_, cluster_secret};
    ASSERT_TRUE(collector.say(events::RateSaid{.party = "page", .share = 1, .id = "a"}, lanes));
    view_page("behind", 1, 1);
    ASSERT_TRUE(guard_feed_->run(100));
    const journal::Records written = judged_.log().read(lane, 0, {}).value();
    const std::array again{written[0], written[1], written[2]};
    ASSERT_TRUE(judged_.log().append(lane, again));
    for (int follower = 0; follower < 2; ++follower) {
        stop_follower();
        start_follower();
        finish();
        EXPECT_EQ(seen_.controls().size(), 1U);
        EXPECT_TRUE(seen_.controls().contains({lane, 1}));
        EXPECT_EQ(seen_.seen().size(), 2U);
    }
    expect_exact();
    projecting::LaneWalk walk{.log = &judged_.log(), .lane = lane};
    std::vector<std::uint64_t> walked;
    ASSERT_TRUE(walk.walk(0, 6, [&](std::uint64_t offset, const events::LogRecord&) {
        walked.push_back(offset);
        return Result<void>{};
    }));
    EXPECT_THAT(walked, testing::ElementsAre(0, 1, 2));
}

TEST_F(ClusterTest, a_control_that_only_judges_write_is_none_of_the_log_of_events) {
    std::string record;
    events::append_control(events::RulesInForce{.version = 1, .digest = "d"}, record);
    const std::string_view foreign[] = {record};
    ASSERT_TRUE(events_.log().append(0, foreign));
    const auto taken = guard_feed_->run(100);
    ASSERT_FALSE(taken);
    EXPECT_EQ(taken.error().kind, ErrorKind::corrupt);
}

TEST_F(ClusterTest, events_that_are_missing_are_not_passed_over) {
    send();
    ASSERT_TRUE(guard_feed_->run(100));
    const auto taken = guard_->consume(0, [] {
        journal::Records records{1'000'000};
        std::string bytes;
        events::append_judged({.event = {.action = "view", .object = "a"}}, bytes);
        records.append(bytes);
        return records;
    }());
    ASSERT_FALSE(taken);
    EXPECT_EQ(taken.error().kind, ErrorKind::unavailable);
    EXPECT_THAT(taken.error().message, testing::HasSubstr("are missing"));
    const auto passed_on = intake_->pass_on(0, events::MonthSealed{.source = 1'000'000});
    ASSERT_FALSE(passed_on);
    EXPECT_EQ(passed_on.error().kind, ErrorKind::unavailable);
    EXPECT_THAT(passed_on.error().message, testing::HasSubstr("are missing"));
}

}  // namespace
}  // namespace footfall::intake
