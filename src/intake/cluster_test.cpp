// Events that come by a log of events: collector, guard and follower, each with what it writes to
// failing on its own.

#include "intake/cluster_world.h"
#include "storage/blocking.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <ranges>
#include <set>
#include <string>
#include <thread>
#include <tuple>

namespace footfall::intake {
namespace {

using events::Event;

constexpr SipKey cluster_secret{1, 2};

/// The tables of a cluster's store, which has no log in it.
const std::array<const storage::Table*, 4> cluster_tables{
    &event_by_id_table,
    &guard_seen_table,
    &lane_checkpoint_table,
    &projecting::projection_checkpoint_table
};

/// A collector, a guard and a follower, which may crash, on two logs and a store, which may lose
/// what was not durable.
class ClusterTest : public testing::Test {
protected:
    ClusterTest() {
        set_log_level(LogLevel::error);  // that writes are lost is no surprise here
        start_guard();
        start_follower();
    }

    void TearDown() override {
        stop_guard();
        stop_follower();
    }

    static std::vector<std::uint32_t> all_lanes() {
        std::vector<std::uint32_t> lanes(JudgeLanes::count);
        std::iota(lanes.begin(), lanes.end(), 0);
        return lanes;
    }

    Bench bench() {
        return {
            .store = store_.get(),
            .log = &judged_.log(),
            .clock = &clock_,
            .secret = cluster_secret,
            .rules = rules_,
            .rates = &rates_,
            .lane_memory_bytes = 1 << 10
        };
    }

    /// As in a process of its own, which knows nothing of what was counted.
    void start_guard() {
        rates_.clear();
        intake_ = Intake::open_without_lanes(bench()).value();
        guard_ = std::make_unique<GuardReader>(*intake_);
        guard_feed_ = std::make_unique<HandFeed>(events_.log(), *guard_, lanes_at_once_);
        const Result<void> assigned = guard_feed_->assign(all_lanes());
        ASSERT_TRUE(assigned) << assigned.error().message;
    }

    /// As a process ends that is killed: nothing more is written.
    void stop_guard() {
        store_->set_options({.refuse_submit = 1, .refuse_as = ErrorKind::unavailable});
        judged_.store().set_options({.refuse_submit = 1, .refuse_as = ErrorKind::unavailable});
        guard_feed_.reset();
        guard_.reset();
        intake_.reset();
        store_->set_options({});
        judged_.store().set_options({});
    }

    void start_follower() {
        std::vector<projecting::ProjectionHost::Registered> projections{{"seen", &seen_}};
        if (with_later_) {
            projections.push_back({"later", &later_});
        }
        seen_.store_when_flushed();
        later_.store_when_flushed();
        Bench all = bench();
        follower_host_ = std::make_unique<projecting::ProjectionHost>(
            *store_, judged_.log(), std::move(projections)
        );
        all.host = follower_host_.get();
        follower_ = std::make_unique<Follower>(all);
        follower_feed_ = std::make_unique<HandFeed>(judged_.log(), *follower_, lanes_at_once_);
        const Result<void> assigned = follower_feed_->assign(all_lanes());
        ASSERT_TRUE(assigned) << assigned.error().message;
    }

    /// As guards stop: what it did not store is lost.
    void stop_follower() {
        seen_.drop();
        later_.drop();
        follower_feed_.reset();
        follower_.reset();
        follower_host_.reset();
    }

    void crash_all() {
        stop_guard();
        stop_follower();
        judged_.crash();
        store_ = make_store();
        start_guard();
        start_follower();
    }

    /// Sends some events, half of them without an id, now and then one that was sent before.
    void send() {
        LogCollector collector{events_.log(), *store_, clock_, cluster_secret};
        Arrived arrived{.arrival = clock_.now()};
        for (std::uint64_t count = 1 + random_.below(30); count > 0; --count) {
            const std::uint64_t serial =
                random_.below(8) == 0 ? random_.below(serial_ + 1) : ++serial_;
            arrived.events.push_back(
                {.id = serial % 2 == 0 ? fmt::format("id {}", serial) : "",
                 .time = clock_.now() - std::chrono::seconds{serial % 10'000},
                 .action = "view",
                 .object = fmt::format("object {}", serial % 20),
                 .actor = fmt::format("actor {}", serial % 50)}
            );
        }
        const auto taken = collector.take(std::move(arrived));
        ASSERT_TRUE(taken) << taken.error().message;
    }

    /// Views of one page, 15 s apart, by these people in turn. Answers its lane.
    std::uint32_t view_page(const std::string& who, int people, int views) {
        Arrived arrived;
        for (int view = 0; view < views; ++view) {
            clock_.advance(std::chrono::seconds{15});
            arrived.events.push_back(
                {.time = clock_.now(),
                 .action = "view",
                 .object = "page",
                 .actor = fmt::format("{} {}", who, view % people)}
            );
        }
        arrived.arrival = clock_.now();
        const std::uint32_t lane = events::keys_of(arrived.events.front(), cluster_secret).lane;
        LogCollector collector{events_.log(), *store_, clock_, cluster_secret};
        const auto taken = collector.take(std::move(arrived));
        EXPECT_TRUE(taken) << taken.error().message;
        return lane;
    }

    /// Runs guard and follower until there is nothing more to do.
    void finish() {
        store_->set_options({});
        judged_.store().set_options({});
        events_.store().set_options({});
        store_->release_writes();
        judged_.store().release_writes();
        events_.store().release_writes();
        while (!guard_feed_->run(100)) {
            std::this_thread::yield();
        }
        while (!follower_feed_->run(7)) {
            std::this_thread::yield();
        }
    }

    /// The records of a lane, those that repeat an earlier one left out, each with its offset.
    std::vector<std::pair<std::uint64_t, events::JudgedEvent>> records(
        journal::Log& log, std::uint32_t lane
    ) {
        std::vector<std::pair<std::uint64_t, events::JudgedEvent>> all;
        events::SourceOrder order;
        for (std::uint64_t next = 0;;) {
            const journal::Records read = log.read(lane, next, {}).value();
            if (read.empty()) {
                return all;
            }
            for (std::size_t at = 0; at < read.size(); ++at) {
                auto record = events::read_record(read[at]).value();
                auto* const judged = std::get_if<events::JudgedEvent>(&record);
                if (judged != nullptr && !order.repeats(*judged)) {
                    all.emplace_back(read.first() + at, std::move(*judged));
                }
            }
            next = read.next();
        }
    }

    /// Every durable event was judged once, or has an id that came before; the rows of the store
    /// name these records; and the follower saw them all.
    void expect_exact() {
        std::map<std::pair<std::uint32_t, std::uint64_t>, std::string> judged_records;
        std::set<std::pair<std::string, std::string>> ids;
        for (std::uint32_t lane = 0; lane < JudgeLanes::count; ++lane) {
            std::map<std::uint64_t, std::uint64_t> offset_of_source;
            for (const auto& [offset, judged] : records(judged_.log(), lane)) {
                ASSERT_TRUE(judged.source);
                ASSERT_TRUE(offset_of_source.try_emplace(judged.source.value_or(0), offset).second);
                judged_records.try_emplace({lane, offset}, judged.event.object);
                if (!judged.event.id.empty()) {
                    ASSERT_TRUE(ids.emplace(judged.event.object, judged.event.id).second);
                    expect_row(judged.event, lane, offset);
                }
            }
            for (const auto& [offset, event] : records(events_.log(), lane)) {
                const bool is_known =
                    ids.contains({event.event.object, event.event.id}) && !event.event.id.empty();
                ASSERT_TRUE(offset_of_source.contains(offset) || is_known) << lane << " " << offset;
                ++events_seen_;
            }
        }
        const auto seen = seen_.seen();
        ASSERT_EQ(seen.size(), judged_records.size());
        for (const auto& [place, object] : judged_records) {
            ASSERT_TRUE(seen.contains(place));
            ASSERT_EQ(seen.at(place).object, object);
        }
    }

    void expect_row(const Event& event, std::uint32_t lane, std::uint64_t offset) {
        const auto row = storage::read_one(
            *store_,
            event_by_id_table,
            {signed_of(events::id_hash(event.id, cluster_secret)), event.object}
        );
        ASSERT_TRUE(row) << row.error().message;
        const std::vector<storage::Value> values = row->value_or(std::vector<storage::Value>(6));
        EXPECT_EQ(values.at(3), storage::Value{std::int64_t{lane}}) << event.id;
        EXPECT_EQ(values.at(4), storage::Value{signed_of(offset)});
    }

    std::unique_ptr<storage::FaultyStore> make_store() {
        return std::make_unique<storage::FaultyStore>(inner_, ++store_seed_);
    }

    ManualClock clock_{Instant{std::chrono::hours{24 * 20'000}}};
    Random random_{11};
    std::size_t lanes_at_once_ = 1;  ///< Of guard and follower; with one a seed decides everything.
    std::uint64_t serial_ = 0;
    std::uint64_t store_seed_ = 20;
    std::uint64_t events_seen_ = 0;
    std::shared_ptr<const guard::RuleSet> rules_ =
        std::make_shared<const guard::RuleSet>(guard::RuleSet::standard());
    guard::RateState rates_{cluster_secret, std::size_t{1} << 20};
    storage::MemoryStore inner_{cluster_tables, clock_};
    std::unique_ptr<storage::FaultyStore> store_ = make_store();
    LogWorld events_{30};
    LogWorld judged_{40};
    SeenRecords seen_;
    SeenRecords later_;  ///< A projection that is not always there.
    bool with_later_ = false;
    std::unique_ptr<Intake> intake_;
    std::unique_ptr<GuardReader> guard_;
    std::unique_ptr<HandFeed> guard_feed_;
    std::unique_ptr<projecting::ProjectionHost> follower_host_;
    std::unique_ptr<Follower> follower_;
    std::unique_ptr<HandFeed> follower_feed_;
};

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
    ASSERT_TRUE(last.verdict.refusal);
    EXPECT_EQ(last.verdict.refusal->reason, "too_many");
}

TEST_F(ClusterTest, events_that_are_missing_are_not_passed_over) {
    send();
    ASSERT_TRUE(guard_feed_->run(100));
    const auto taken = guard_->take(0, [] {
        journal::Records records{1'000'000};
        std::string bytes;
        events::append_judged({.event = {.action = "view", .object = "a"}}, bytes);
        records.append(bytes);
        return records;
    }());
    ASSERT_FALSE(taken);
    EXPECT_EQ(taken.error().kind, ErrorKind::unavailable);
    EXPECT_THAT(taken.error().message, testing::HasSubstr("are missing"));
}

}  // namespace
}  // namespace footfall::intake
