#include "owners/owned_lanes.h"

#include "owners/lane_owners.h"
#include "owners/schema.h"
#include "owners/test_world.h"
#include "storage/blocking.h"
#include "storage/memory_store.h"
#include "storage_testing/faulty_store.h"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

namespace footfall::owners {
namespace {

using namespace std::chrono_literals;

class OwnedLanesTest : public testing::Test {
protected:
    /// As whoever starts now reads it.
    LaneOwner owner(std::uint32_t lane) { return (*LaneOwners{store_, test_log}.latest())[lane]; }

    void give(Process& process, std::vector<std::uint32_t> lanes) {
        ASSERT_TRUE(process.lanes.assigned(lanes));
        ASSERT_TRUE(process.lanes.settle());
    }

    std::size_t rows() {
        return storage::read_all(
                   store_, {.table = &lane_owner_table, .partition = {std::int64_t{test_log}}}
        )->size();
    }

    static constexpr std::array<const storage::Table*, 1> tables{&lane_owner_table};
    ManualClock clock_{start};
    storage::MemoryStore disk_{tables, clock_};
    storage::FaultyStore store_{disk_, 1, {.lose_only_the_end = true}};
    Process one_{store_, clock_, "127.0.0.1:1"};
    Process other_{store_, clock_, "127.0.0.1:2"};
};

TEST_F(OwnedLanesTest, others_find_who_has_a_lane) {
    EXPECT_EQ(owner(3).generation, 0);
    EXPECT_FALSE(one_.lanes.counted(3));
    give(one_, {3, 4});
    EXPECT_EQ(owner(3).address, "127.0.0.1:1");
    EXPECT_EQ(owner(3).stored, start);
    EXPECT_EQ(owner(3).generation, one_.lanes.generation(3));
    EXPECT_EQ(owner(5).generation, 0);
    EXPECT_FALSE(one_.lanes.generation(5));
    EXPECT_TRUE(one_.lanes.has_begun());
    journal::Records records{0};
    records.append("r");
    ASSERT_TRUE(one_.lanes.consume(3, records));
    EXPECT_EQ(one_.lanes.counted(3), 1U);
}

TEST_F(OwnedLanesTest, the_next_owner_supersedes_and_who_left_answers_no_more) {
    give(one_, {3});
    one_.lanes.revoked(std::vector<std::uint32_t>{3}, false);
    EXPECT_FALSE(one_.lanes.generation(3));
    EXPECT_FALSE(one_.lanes.counted(3));
    EXPECT_EQ(owner(3).address, "") << "nobody is asked in vain";
    EXPECT_EQ(owner(3).stored, start) << "but it is known how far rows go";
    give(other_, {3});
    EXPECT_EQ(owner(3).address, "127.0.0.1:2");
    EXPECT_EQ(rows(), 1U) << "what is superseded goes";
}

/// It was stopped, lost the lane, and writes what it meant to write before.
TEST_F(OwnedLanesTest, an_old_owner_writes_nothing_that_is_believed) {
    give(one_, {3});
    give(other_, {3});
    const std::int64_t before = one_.lanes.generation(3).value_or(0);
    EXPECT_GT(other_.lanes.generation(3), before) << "though no time passed";
    storage::Batch late;
    late.upsert(
        lane_owner_table,
        {std::int64_t{test_log}, std::int64_t{3}, before, "127.0.0.1:1", std::int64_t{0}}
    );
    ASSERT_TRUE(storage::write_durably(store_, late));
    EXPECT_EQ(rows(), 2U);
    EXPECT_EQ(owner(3).address, "127.0.0.1:2");
    one_.lanes.revoked(std::vector<std::uint32_t>{3}, true);
    EXPECT_EQ(rows(), 1U);
    EXPECT_EQ(owner(3).address, "127.0.0.1:2");
}

TEST_F(OwnedLanesTest, a_lane_is_answered_for_once_it_was_read_to_its_end) {
    other_.stored = start - 9s;
    give(other_, {3});
    one_.caught_up = false;
    one_.stored = start;
    give(one_, {3});
    EXPECT_EQ(owner(3).address, "127.0.0.1:1");
    EXPECT_EQ(owner(3).stored, start - 9s) << "as of the one before";
    EXPECT_FALSE(one_.lanes.generation(3));
    EXPECT_FALSE(one_.lanes.counted(3));
    EXPECT_FALSE(one_.lanes.has_begun());
    one_.caught_up = true;
    ASSERT_TRUE(one_.lanes.settle());
    EXPECT_TRUE(one_.lanes.generation(3));
    EXPECT_TRUE(one_.lanes.has_begun());
}

TEST_F(OwnedLanesTest, a_lane_that_is_read_again_is_not_answered_for_meanwhile) {
    give(one_, {3});
    journal::Records records{0};
    records.append("r");
    records.append("s");
    ASSERT_TRUE(one_.lanes.consume(3, records));
    one_.counting.lose(3, 1);
    ASSERT_EQ(one_.lanes.settle().value(), Next::anew);
    EXPECT_FALSE(one_.lanes.counted(3));
    ASSERT_TRUE(one_.lanes.consume(3, records));
    ASSERT_TRUE(one_.lanes.settle());
    EXPECT_EQ(one_.lanes.counted(3), 2U);
}

TEST_F(OwnedLanesTest, a_table_that_cannot_be_read_stops_nobody_from_counting) {
    store_.set_options({.lose_only_the_end = true, .fail_read = 1});
    give(one_, {3});
    EXPECT_TRUE(one_.lanes.counted(3)) << "for this process itself";
    EXPECT_FALSE(one_.lanes.generation(3)) << "others were not told";
}

}  // namespace
}  // namespace footfall::owners
