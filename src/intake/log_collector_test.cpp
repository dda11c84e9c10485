#include "intake/log_collector.h"

#include "intake/cluster_world.h"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace footfall::intake {
namespace {

constexpr std::array<const storage::Table*, 1> id_tables{&event_by_id_table};

/// A collector whose events nobody judges: its store never knows them.
class LogCollectorTest : public testing::Test {
protected:
    struct Sent {
        std::string id;
        std::string actor = "ann";
    };

    events::Event event(const Sent& sent) const {
        return {
            .id = sent.id,
            .time = clock_.now(),
            .action = "view",
            .object = "page",
            .actor = sent.actor
        };
    }

    std::uint64_t duplicates(const std::vector<Sent>& sent) {
        Arrived arrived{.arrival = clock_.now()};
        for (const Sent& each : sent) {
            arrived.events.push_back(event(each));
        }
        return collector_.collect(std::move(arrived)).value().duplicates;
    }

    /// Has the store know an event, as if it had been judged.
    void store(const Sent& sent) {
        const events::EventKeys keys = events::keys_of(event(sent), secret);
        const std::int64_t offset = 0;
        storage::Batch batch;
        batch.upsert(
            event_by_id_table,
            {signed_of(keys.id),
             "page",
             signed_of(1),
             std::int64_t{keys.lane},
             offset,
             signed_of(keys.content),
             std::int64_t{0}}
        );
        ASSERT_TRUE(memory_.submit(batch));
    }

    static constexpr SipKey secret{1, 2};

    ManualClock clock_{Instant{std::chrono::days{20'000}}};
    storage::MemoryStore memory_{id_tables, clock_};
    storage::FaultyStore store_{memory_, 1};
    LogWorld events_{1};
    LogCollector collector_{events_.log(), store_, clock_, secret};
};

TEST_F(LogCollectorTest, what_came_twice_is_known_before_the_store_knows_it) {
    EXPECT_EQ(duplicates({{"a"}, {"b"}}), 0U);
    EXPECT_EQ(duplicates({{"a"}, {"c"}, {"b"}}), 2U);
    EXPECT_EQ(duplicates({{"a", "bob"}}), 0U) << "another event under the same id";
    EXPECT_EQ(duplicates({{"a", "bob"}, {"a"}}), 2U) << "both are known";
    EXPECT_EQ(duplicates({{""}, {""}}), 0U) << "without an id";
}

TEST_F(LogCollectorTest, twice_in_one_batch_is_once_and_one_duplicate) {
    EXPECT_EQ(duplicates({{"a"}, {"a"}, {"a"}}), 2U);
}

TEST_F(LogCollectorTest, what_may_still_be_lost_is_no_reason_to_call_another_a_duplicate) {
    events_.store().set_options({.hold_writes = true});
    EXPECT_EQ(duplicates({{"a"}}), 0U);
    EXPECT_EQ(duplicates({{"a"}}), 0U);
    events_.store().release_writes();
    EXPECT_EQ(duplicates({{"a"}}), 1U);
}

TEST_F(LogCollectorTest, a_store_that_does_not_answer_keeps_no_event_out) {
    store_.set_options({.fail_read = 1});
    EXPECT_EQ(duplicates({{"a"}}), 0U);
    EXPECT_EQ(duplicates({{"a"}}), 1U) << "it came through this collector";
    store_.set_options({.hold_reads = true});
    EXPECT_EQ(duplicates({{"a"}}), 1U) << "it is not asked again at once";
    store_.set_options({});
    clock_.advance(std::chrono::seconds{1});
    store({"b"});
    EXPECT_EQ(duplicates({{"b"}}), 1U);
}

TEST_F(LogCollectorTest, a_control_is_durable_once_it_is_said_or_nobody_knows) {
    const std::array<std::uint32_t, 2> lanes{3, 5};
    const auto said = [&] { return collector_.say(events::MonthSealed{.month = 1}, lanes); };
    ASSERT_TRUE(said());
    EXPECT_EQ(events_.log().end(3), 1U);
    EXPECT_EQ(events_.log().end(5), 1U);
    events_.store().set_options({.hold_writes = true});
    std::thread sayer{[&] { EXPECT_EQ(said().error().kind, ErrorKind::outcome_unknown); }};
    while (events_.store().held_writes() < lanes.size()) {
        std::this_thread::yield();
    }
    events_.store().lose_writes();
    sayer.join();
    EXPECT_EQ(said().error().kind, ErrorKind::unavailable) << "the log takes nothing";
}

}  // namespace
}  // namespace footfall::intake
