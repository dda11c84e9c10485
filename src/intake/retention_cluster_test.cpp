// What goes where several processes share the lanes: of its own lanes alone, and nothing that
// somebody reads again.

#include "intake/checkpoints.h"
#include "intake/cluster_fixture.h"
#include "intake/retention.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace footfall::intake {
namespace {

constexpr std::chrono::seconds keep = std::chrono::hours{2};

class RetentionOnCluster : public ClusterTest {
protected:
    RetentionOnCluster() {
        keep_rows_ = keep;
        stop_guard();
        start_guard();
    }

    /// With the follower's lanes.
    std::uint64_t sweep() {
        Context all = context();
        all.host = follower_host_.get();
        Retention retention{all, keep, &follower_->holds()};
        const auto swept = retention.sweep();
        EXPECT_TRUE(swept) << swept.error().message;
        return swept.value_or(0);
    }

    /// Events with ids of their own on one object, or with this one. Answers their lane.
    std::uint32_t send_to(const std::string& object, int count, const std::string& id = "") {
        Arrived arrived{.arrival = clock_.now()};
        for (int at = 0; at < count; ++at) {
            arrived.events.push_back(
                {.id = id.empty() ? fmt::format("own {}", ++serial_) : id,
                 .time = began_,
                 .action = "view",
                 .object = object,
                 .actor = fmt::format("actor {}", at)}
            );
        }
        const std::uint32_t lane = events::lane_of(object, cluster_secret);
        LogCollector collector{events_.log(), *store_, clock_, cluster_secret};
        EXPECT_TRUE(collector.collect(std::move(arrived)));
        return lane;
    }

    /// Judges and counts all that was sent, and has it stored.
    void store_all() {
        finish();
        for (HandFeed* const feed : {guard_feed_.get(), follower_feed_.get()}) {
            feed->revoke(all_lanes(), false);
            ASSERT_TRUE(feed->assign(all_lanes()));
        }
    }

    /// Reads on in each lane: all records that ever were, as long as nothing goes unread.
    void note_history() {
        for (std::uint32_t lane = 0; lane < JudgeLanes::count; ++lane) {
            std::vector<events::LogRecord>& known = history_[lane];
            const journal::Records read = judged_.log().read(lane, known.size(), {}).value();
            ASSERT_TRUE(read.empty() || read.first() == known.size());
            for (std::size_t at = 0; at < read.size(); ++at) {
                known.push_back(events::read_record(read[at]).value());
            }
        }
    }

    /// As a guard that hung and goes on: the lane's latest records once more.
    void repeat_latest(std::uint32_t lane, std::size_t count) {
        note_history();
        const std::vector<events::LogRecord> known = history_[lane];
        for (std::size_t at = known.size() - std::min(count, known.size()); at < known.size();
             ++at) {
            std::string bytes;
            if (const auto* const control = std::get_if<events::Control>(&known[at])) {
                events::append_control(*control, bytes);
            } else {
                events::append_judged(std::get<events::JudgedEvent>(known[at]), bytes);
            }
            const std::string_view records[] = {bytes};
            ASSERT_TRUE(judged_.log().append(lane, records));
        }
    }

    /// What is gone was stored by all and told; what is left is as it was, for who begins there.
    void expect_whole() {
        const auto checkpoints = read_checkpoints(context()).value();
        const auto projected = follower_host_->stored_by_all().value();
        const auto expired = seen_.expired();
        std::size_t gone = 0;
        for (std::uint32_t lane = 0; lane < JudgeLanes::count; ++lane) {
            const std::uint64_t begin = judged_.log().begin(lane);
            ASSERT_LE(begin, checkpoints[lane].offset);
            ASSERT_LE(begin, projected[lane]);
            events::SourceOrder from_first;
            events::SourceOrder from_begin;
            for (std::uint64_t offset = 0; offset < history_[lane].size(); ++offset) {
                const events::LogRecord& record = history_[lane][offset];
                const bool repeats = from_first.repeats(record);
                if (offset >= begin) {
                    ASSERT_EQ(from_begin.repeats(record), repeats);
                } else if (!repeats && std::holds_alternative<events::JudgedEvent>(record)) {
                    ASSERT_TRUE(expired.contains({lane, offset}));
                    ++gone;
                }
            }
        }
        gone_ = gone;
    }

    /// From where a guard that starts reads the lane again; while none runs.
    void set_guard_checkpoint(std::uint32_t lane, std::int64_t offset) {
        storage::Batch batch;
        batch.upsert(
            lane_checkpoint_table,
            {signed_of(judged_.log().id()),
             std::int64_t{lane},
             offset,
             offset,
             std::int64_t{0},
             std::int64_t{0},
             offset}
        );
        ASSERT_TRUE(write_durably(*store_, batch));
    }

    /// The lane and the offset that the row of an id names, and when that expires.
    std::vector<std::int64_t> row_of(const std::string& object, const std::string& id) {
        const auto row = storage::read_one(
            *store_, event_by_id_table, {signed_of(events::id_hash(id, cluster_secret)), object}
        );
        EXPECT_TRUE(row);
        if (!row || !*row) {
            return {};
        }
        const std::vector<storage::Value> values = row->value_or(std::vector<storage::Value>(7));
        std::vector<std::int64_t> numbers;
        for (const std::size_t column : {3UL, 4UL, 6UL}) {
            numbers.push_back(std::get<std::int64_t>(values.at(column)));
        }
        return numbers;
    }

    std::int64_t expiry_from_now() const {
        return (clock_.now() + keep).time_since_epoch().count();
    }

    std::map<std::uint32_t, std::vector<events::LogRecord>> history_;
    std::size_t gone_ = 0;
    const Instant began_ = clock_.now();
};

TEST_F(RetentionOnCluster, nothing_goes_that_guard_or_projection_may_read_again) {
    const std::uint32_t lane = send_to("page", 10);
    ASSERT_TRUE(guard_feed_->run(100));
    clock_.advance(keep + std::chrono::seconds{1});
    EXPECT_EQ(sweep(), 0U) << "nobody stored anything";
    guard_feed_->revoke(all_lanes(), false);
    ASSERT_TRUE(guard_feed_->assign(all_lanes()));
    EXPECT_EQ(sweep(), 0U) << "the projection has not";
    ASSERT_TRUE(follower_feed_->run(100));
    EXPECT_EQ(sweep(), 0U);
    store_all();
    EXPECT_EQ(sweep(), 9U);
    EXPECT_EQ(judged_.log().begin(lane), 9U) << "the last one stays until another follows";
}

/// Its checkpoint lies before those of the projections.
TEST_F(RetentionOnCluster, nothing_goes_that_a_guard_may_read_again) {
    const std::uint32_t lane = send_to("page", 10);
    store_all();
    stop_guard();
    set_guard_checkpoint(lane, 4);
    clock_.advance(keep + std::chrono::seconds{1});
    EXPECT_EQ(sweep(), 4U);
    EXPECT_EQ(judged_.log().begin(lane), 4U);
    start_guard();
    store_all();
    EXPECT_EQ(sweep(), 5U);
}

TEST_F(RetentionOnCluster, nothing_goes_that_one_of_two_projections_has_not_stored) {
    with_later_ = true;
    send_to("page", 10);
    store_all();
    stop_follower();
    start_follower();
    clock_.advance(keep + std::chrono::seconds{1});
    EXPECT_EQ(sweep(), 0U);
    store_all();
    EXPECT_EQ(sweep(), 9U);
}

TEST_F(RetentionOnCluster, whatever_crashes_what_goes_was_stored_and_what_stays_is_whole) {
    for (int round = 0; round < 60; ++round) {
        clock_.advance(std::chrono::minutes{random_.below(30)});
        send();
        ASSERT_TRUE(guard_feed_->run(1 + random_.below(20)));
        ASSERT_TRUE(follower_feed_->run(1 + random_.below(20)));
        if (random_.below(3) == 0) {
            // The guard would take them for another's: its lanes go and come.
            guard_feed_->revoke(all_lanes(), random_.below(2) == 0);
            repeat_latest(static_cast<std::uint32_t>(random_.below(64)), 1 + random_.below(4));
            ASSERT_TRUE(guard_feed_->assign(all_lanes()));
        }
        if (random_.below(3) == 0) {
            store_all();
        }
        note_history();
        sweep();
        expect_whole();
        if (random_.below(4) == 0) {
            crash_all();
        }
    }
    finish();
    note_history();
    EXPECT_GT(gone_, 200U);
    EXPECT_LT(gone_, seen_.seen().size());
    for (const auto& [place, seen] : seen_.seen()) {
        const events::LogRecord& record = history_[place.first].at(place.second);
        EXPECT_EQ(std::get<events::JudgedEvent>(record).event.object, seen.object);
    }
}

TEST_F(RetentionOnCluster, nothing_is_told_of_a_lane_that_went_while_it_was_swept) {
    send_to("page", 2500);
    store_all();
    clock_.advance(keep + std::chrono::seconds{1});
    int steps = 0;
    seen_.when_expired([&](std::uint32_t) {
        ++steps;
        follower_->holds().end(all_lanes(), true);
    });
    const std::uint64_t swept = sweep();
    EXPECT_EQ(steps, 1);
    EXPECT_EQ(swept, 0U);
    EXPECT_TRUE(seen_.expired().empty()) << "what was told is dropped";
    EXPECT_EQ(sweep(), 0U) << "no lane is ours";
    seen_.when_expired({});
    store_all();
    EXPECT_EQ(sweep(), 2499U) << "they came back";
    EXPECT_EQ(seen_.expired().size(), 2499U);
}

TEST_F(RetentionOnCluster, an_id_that_comes_again_after_its_event_went_is_a_new_event) {
    const std::uint32_t lane = send_to("page", 1, "again");
    store_all();
    EXPECT_EQ(row_of("page", "again"), (std::vector<std::int64_t>{lane, 0, expiry_from_now()}));
    clock_.advance(keep - std::chrono::seconds{1});
    send_to("page", 1, "again");
    store_all();
    EXPECT_EQ(judged_.log().end(lane), 1U) << "a repeat";
    clock_.advance(std::chrono::seconds{1});
    send_to("page", 1, "again");
    store_all();
    EXPECT_EQ(judged_.log().end(lane), 2U) << "a new event";
    const std::vector<std::int64_t> row{lane, 1, expiry_from_now()};
    EXPECT_EQ(row_of("page", "again"), row);
    clock_.advance(std::chrono::seconds{1});
    EXPECT_EQ(sweep(), 1U);
    EXPECT_EQ(row_of("page", "again"), row) << "not the row of what went";
    send_to("page", 1, "again");
    store_all();
    EXPECT_EQ(judged_.log().end(lane), 2U) << "a repeat of the new one";
}

/// The rows were lost, and follow from the records again.
TEST_F(RetentionOnCluster, ids_that_came_again_have_the_row_of_the_latest_also_after_a_crash) {
    const std::uint32_t lane = send_to("page", 1, "again");
    ASSERT_TRUE(guard_feed_->run(100));
    // The store has the first one by now, and memory lets go of it.
    send_to("page", 1, "another");
    ASSERT_TRUE(guard_feed_->run(100));
    clock_.advance(keep);
    send_to("page", 1, "again");
    ASSERT_TRUE(guard_feed_->run(100));
    const std::vector<std::int64_t> row{lane, 2, expiry_from_now()};
    storage::Batch lost;
    const std::vector<storage::Value> key{
        signed_of(events::id_hash("again", cluster_secret)), std::string{"page"}
    };
    EXPECT_EQ(row_of("page", "again"), row);
    stop_guard();
    lost.erase(event_by_id_table, storage::views_of(key));
    ASSERT_TRUE(write_durably(*store_, lost));
    set_guard_checkpoint(lane, 0);
    start_guard();
    EXPECT_EQ(judged_.log().end(lane), 3U);
    EXPECT_EQ(row_of("page", "again"), row) << "of two that are read again the later one";
}

constexpr LaneHolds::Hold none{.lane = 0, .number = 0};

TEST(LaneHolds, a_lane_is_given_up_when_nobody_keeps_it_any_more) {
    LaneHolds holds{std::chrono::hours{1}};
    const std::vector<std::uint32_t> lanes{5};
    EXPECT_TRUE(holds.begin(lanes));
    const LaneHolds::Hold hold = holds.hold(5).value_or(none);
    std::optional<LaneHolds::Kept> kept = holds.keep(hold);
    ASSERT_TRUE(kept);
    std::atomic<bool> may_end = false;
    std::jthread reader{[&] {
        holds.end(lanes, false);
        EXPECT_TRUE(may_end);
    }};
    while (holds.hold(5)) {
        std::this_thread::yield();
    }
    for (int turn = 0; turn < 1000; ++turn) {
        std::this_thread::yield();
    }
    may_end = true;
    kept.reset();
    reader.join();
    EXPECT_FALSE(holds.keep(hold));
    EXPECT_TRUE(holds.begin(lanes));
    EXPECT_FALSE(holds.keep(hold)) << "that is another hold";
    EXPECT_TRUE(holds.keep(holds.hold(5).value_or(none)));
    EXPECT_FALSE(holds.hold(6));
}

TEST(LaneHolds, nothing_is_kept_after_silence) {
    LaneHolds holds{std::chrono::nanoseconds{-1}};  // whoever asks comes too late
    const std::vector<std::uint32_t> lanes{5};
    EXPECT_TRUE(holds.begin(lanes));
    const LaneHolds::Hold hold = holds.hold(5).value_or(none);
    EXPECT_FALSE(holds.keep(hold));
    EXPECT_FALSE(holds.confirm(true));
    EXPECT_FALSE(holds.hold(5));
}

TEST(LaneHolds, all_are_over_once_one_may_be_anothers) {
    LaneHolds holds{std::chrono::hours{1}};
    const std::vector<std::uint32_t> lanes{5};
    EXPECT_TRUE(holds.begin(lanes));
    EXPECT_TRUE(holds.confirm(true));
    EXPECT_FALSE(holds.is_over());
    EXPECT_TRUE(holds.hold(5));

    EXPECT_FALSE(holds.confirm(false));
    EXPECT_FALSE(holds.hold(5));
    EXPECT_FALSE(holds.begin(lanes)) << "these may be among them";
    EXPECT_FALSE(holds.hold(5));
    EXPECT_TRUE(holds.is_over());
    EXPECT_FALSE(holds.is_over());
    EXPECT_TRUE(holds.begin(lanes));
    EXPECT_TRUE(holds.hold(5));
}

}  // namespace
}  // namespace footfall::intake
