#include "tally/tally.h"

#include "foundation/random.h"
#include "storage/memory_store.h"
#include "storage/testing/faulty_store.h"
#include "tally/recount.h"
#include "tally/schema.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <deque>
#include <map>
#include <string>
#include <thread>
#include <vector>

namespace footfall::tally {
namespace {

using namespace std::chrono_literals;

constexpr std::array<const storage::Table*, 2> tables{&tally_table, &tally_expired_table};
constexpr Instant start{1'790'000'000s};

/// Whoever owns other lanes: another tally, or nobody.
class OtherOwner final : public projecting::Owners {
public:
    std::optional<std::uint64_t> counted_here(std::uint32_t lane) override {
        return lane % 2 == 0 ? std::optional<std::uint64_t>{0} : std::nullopt;
    }

    projecting::LaneAnswers ask(
        std::string_view projection,
        std::span<const projecting::LaneQuestion> asked,
        std::string_view /*of_all*/
    ) override {
        EXPECT_EQ(projection, Tally::name);
        projecting::LaneAnswers answers;
        for (const projecting::LaneQuestion& each : asked) {
            auto& answer = answers.of_asked.emplace_back();
            if (other != nullptr) {
                answer = {.bytes = other->answer(each.lane, each.bytes).value(), .counted = 0};
            }
        }
        return answers;
    }

    Tally* other = nullptr;
};

class TallyTest : public testing::Test {
protected:
    /// Events of a lane, from an offset on, as the log has them.
    std::vector<projecting::JudgedRecord> records(std::uint64_t from, std::size_t count) {
        while (log_.size() < from + count) {
            const auto day = std::chrono::days{log_.size() / 40 % 3};
            log_.push_back(
                {.event =
                     {.time = start + day,
                      .action = log_.size() % 3 == 0 ? "click" : "view",
                      .object = "post"}}
            );
        }
        std::vector<projecting::JudgedRecord> told;
        for (std::uint64_t offset = from; offset < from + count; ++offset) {
            told.push_back({.offset = offset, .judged = &log_[offset]});
        }
        return told;
    }

    /// What the first records of the log come to.
    std::map<Key, std::uint64_t> truth(std::size_t count) {
        std::map<Key, std::uint64_t> events;
        for (const projecting::JudgedRecord& each : records(0, count)) {
            ++events[key_of(*each.judged)];
        }
        return events;
    }

    ManualClock clock_{start};
    storage::MemoryStore store_{tables, clock_};
    std::deque<events::JudgedEvent> log_;
};

TEST_F(TallyTest, counts_what_waits_and_what_is_stored) {
    Tally tally{store_, clock_};
    tally.apply(3, records(0, 100));
    EXPECT_EQ(tally.totals(0)->events, truth(100));
    EXPECT_EQ(tally.unsaved(3), 0U);
    ASSERT_TRUE(tally.flush(true));
    EXPECT_EQ(tally.unsaved(3), std::nullopt);
    tally.apply(3, records(100, 50));
    EXPECT_EQ(tally.unsaved(3), 100U);
    EXPECT_EQ(tally.waiting().waiting(), 50U);
    EXPECT_EQ(tally.totals(0)->events, truth(150));
    EXPECT_TRUE(tally.totals(30'000)->events.empty()) << "no such days yet";
}

TEST_F(TallyTest, counts_each_event_once_however_often_it_is_told) {
    Random random{7};
    std::size_t told = 0;
    std::size_t stored = 0;
    for (int round = 0; round < 50; ++round) {
        Tally tally{store_, clock_};  // as after a kill
        told = stored == 0 ? 0 : random.below(stored + 1);
        while (random.below(4) != 0) {
            const std::size_t count = random.below(30);
            tally.apply(3, records(told, count));
            told += count;
            if (random.below(2) == 0) {
                ASSERT_TRUE(tally.flush(true));
                stored = std::max(stored, told);
            }
            ASSERT_EQ(tally.totals(0)->events, truth(std::max(told, stored))) << round;
        }
    }
}

TEST_F(TallyTest, writes_nothing_of_what_was_dropped) {
    Tally tally{store_, clock_};
    tally.apply(3, records(0, 10));
    tally.apply(4, records(0, 10));
    tally.drop_lane(3);
    EXPECT_EQ(tally.unsaved(3), std::nullopt);
    EXPECT_EQ(tally.unsaved(4), 0U);
    ASSERT_TRUE(tally.flush(true));
    EXPECT_TRUE(read_cells(store_, tally_table, 3)->empty());
    EXPECT_FALSE(read_cells(store_, tally_table, 4)->empty());
    EXPECT_EQ(tally.waiting().waiting(), 0U);
}

/// A lane goes to another process while its rows are read: that one counts from here on.
TEST_F(TallyTest, writes_nothing_of_what_is_dropped_while_it_is_written) {
    storage::FaultyStore slow{store_, 1, {.hold_reads = true}};
    Tally tally{slow, clock_};
    tally.apply(3, records(0, 10));
    {
        const std::jthread flushes{[&] { EXPECT_TRUE(tally.flush(true)); }};
        while (slow.held_reads() == 0) {
            std::this_thread::yield();
        }
        tally.drop_lane(3);
        slow.set_options({});
        slow.release_reads();
    }
    EXPECT_TRUE(read_cells(store_, tally_table, 3)->empty());
    EXPECT_EQ(tally.waiting().waiting(), 0U);
}

/// The lane comes back, from its checkpoint, before its rows are durable.
TEST_F(TallyTest, keeps_what_is_told_again_while_it_is_written) {
    storage::FaultyStore slow{store_, 1, {.hold_writes = true}};
    Tally tally{slow, clock_};
    tally.apply(3, records(0, 10));
    {
        const std::jthread flushes{[&] { EXPECT_TRUE(tally.flush(true)); }};
        while (slow.held_writes() == 0) {
            std::this_thread::yield();
        }
        tally.drop_lane(3);
        tally.apply(3, records(0, 20));
        slow.set_options({});
        slow.release_writes();
    }
    EXPECT_EQ(tally.unsaved(3), 0U);
    EXPECT_EQ(tally.waiting().waiting(), 20U);
    ASSERT_TRUE(tally.flush(true));
    EXPECT_EQ(tally.totals(0)->events, truth(20));
}

TEST_F(TallyTest, writes_once_a_second) {
    Tally tally{store_, clock_};
    tally.apply(3, records(0, 10));
    EXPECT_EQ(tally.stored_until(3), start);
    clock_.advance(900ms);
    ASSERT_TRUE(tally.flush(false));
    EXPECT_EQ(tally.waiting().rows_written(), 0U);
    clock_.advance(100ms);
    ASSERT_TRUE(tally.flush(false));
    EXPECT_GT(tally.waiting().rows_written(), 0U);
    EXPECT_EQ(tally.stored_until(3), start + 1s);
}

TEST_F(TallyTest, writes_what_waits_once_that_takes_its_share) {
    runtime::MemoryShare share{2000};
    Tally tally{store_, clock_, nullptr, &share};
    std::uint64_t told = 0;
    for (; tally.waiting().bytes() < share.bytes(); ++told) {
        ASSERT_TRUE(tally.wait_for_room());
        EXPECT_EQ(tally.waiting().waiting(), told) << "there is room";
        tally.apply(3, records(told, 1));
    }
    EXPECT_GT(told, 10U);
    ASSERT_TRUE(tally.wait_for_room());
    EXPECT_EQ(tally.waiting().waiting(), 0U);
    EXPECT_EQ(tally.totals(0)->events, truth(told));
}

TEST_F(TallyTest, tells_of_what_others_have_counted) {
    Tally other{store_, clock_};
    OtherOwner owner;
    Tally asking{store_, clock_, &owner};
    other.apply(3, records(0, 70));
    EXPECT_TRUE(asking.totals(0)->provisional);
    owner.other = &other;
    const auto told = asking.totals(0);
    EXPECT_FALSE(told->provisional);
    EXPECT_EQ(told->events, truth(70));
}

/// Rows of a lane of which all is written.
class Rows final : public projecting::WrittenRows {
public:
    std::uint64_t end() const override { return 1'000'000; }

    Result<bool> wait() override { return false; }
};

TEST_F(TallyTest, is_verified_also_once_events_are_gone) {
    Tally tally{store_, clock_};
    tally.apply(3, records(0, 100));
    ASSERT_TRUE(tally.flush(true));
    ASSERT_TRUE(tally.expire(3, records(0, 30)));
    ASSERT_TRUE(tally.expire(3, records(10, 30))) << "told once more";
    const auto differences = [&](std::uint64_t from, std::size_t count) {
        const auto recount = make_recount({.store = &store_, .lane = 3, .begins_later = from > 0});
        for (const projecting::JudgedRecord& each : records(from, count)) {
            EXPECT_TRUE(recount->add(each));
        }
        Rows rows;
        EXPECT_TRUE(recount->read_stored(rows));
        return recount->differences();
    };
    EXPECT_TRUE(differences(0, 100).empty());
    EXPECT_TRUE(differences(40, 60).empty());
    EXPECT_EQ(differences(0, 99).size(), 1U);
    EXPECT_FALSE(differences(50, 50).empty()) << "ten are neither in the log nor gone";
}

}  // namespace
}  // namespace footfall::tally
