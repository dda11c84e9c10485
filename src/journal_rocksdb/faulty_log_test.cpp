// The log that fails on purpose (journal/testing), over the embedded one.
#include "journal_testing/faulty_log.h"

#include "journal_rocksdb/schema.h"
#include "journal_rocksdb/store_log.h"
#include "storage/deployment.h"
#include "storage/memory_store.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <vector>

namespace footfall::journal {
namespace {

using journal_rocksdb::StoreLog;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::uint32_t lane = 3;

class FaultyLogTest : public testing::Test {
protected:
    storage::CommitPosition append(const std::string& record) {
        const std::array<std::string_view, 1> records{record};
        const auto position = log_.append(lane, records);
        EXPECT_TRUE(position) << (position ? "" : position.error().message);
        log_.when_durable(position.value_or(0), [this, record](const Result<void>& outcome) {
            told_.push_back(record + (outcome ? " durable" : " unknown"));
        });
        return position.value_or(0);
    }

    Result<storage::CommitPosition> try_append() {
        const std::array<std::string_view, 1> records{"any"};
        return log_.append(lane, records);
    }

    std::vector<std::string> stored() {
        std::vector<std::string> all;
        const Records records = log_.read(lane, 0, {}).value();
        all.reserve(records.size());
        for (std::size_t at = 0; at < records.size(); ++at) {
            all.emplace_back(records[at]);
        }
        return all;
    }

    const ManualClock clock_{Instant{}};
    const std::array<const storage::Table*, 4> tables_{
        &storage::deployment_table,
        &journal_rocksdb::log_block_table,
        &journal_rocksdb::log_lane_table,
        &journal_rocksdb::log_begin_table
    };
    storage::MemoryStore store_{tables_, clock_};
    std::unique_ptr<StoreLog> below_ = StoreLog::open(store_).value();
    FaultyLog log_{*below_, 7};
    std::vector<std::string> told_;
};

TEST_F(FaultyLogTest, what_is_held_is_neither_there_nor_durable_until_it_is_released) {
    append("a");
    log_.set_faults({.hold_appends = true});
    const auto b = append("b");
    const auto c = append("c");
    EXPECT_EQ(log_.end(lane), 3U);
    EXPECT_EQ(log_.held(), 2U);
    EXPECT_THAT(stored(), ElementsAre("a"));
    EXPECT_FALSE(log_.durable(b));
    EXPECT_THAT(told_, ElementsAre("a durable"));
    log_.release();
    EXPECT_THAT(stored(), ElementsAre("a", "b", "c"));
    EXPECT_EQ(log_.end(lane), 3U);
    EXPECT_TRUE(log_.durable(c));
    EXPECT_THAT(told_, ElementsAre("a durable", "b durable", "c durable"));
}

TEST_F(FaultyLogTest, of_what_is_lost_a_beginning_stands_and_nobody_is_told_which) {
    bool handled = false;
    log_.on_lost_records([&] { handled = true; });
    log_.set_faults({.hold_appends = true});
    const std::vector<std::string> all{"a", "b", "c", "d"};
    std::vector<storage::CommitPosition> positions;
    positions.reserve(all.size());
    for (const std::string& record : all) {
        positions.push_back(append(record));
    }
    log_.lose();
    EXPECT_TRUE(handled);
    EXPECT_THAT(told_, ElementsAre("a unknown", "b unknown", "c unknown", "d unknown"));
    EXPECT_EQ(try_append().error().kind, ErrorKind::unavailable);
    ASSERT_TRUE(log_.recover());
    const std::vector<std::string> standing = stored();
    ASSERT_LE(standing.size(), all.size());
    EXPECT_TRUE(std::equal(standing.begin(), standing.end(), all.begin()));
    EXPECT_EQ(log_.end(lane), standing.size());
    for (const storage::CommitPosition position : positions) {
        EXPECT_FALSE(log_.durable(position)) << "lost for good";
    }
    log_.set_faults({});
    append("e");
    EXPECT_EQ(stored().size(), standing.size() + 1);
    EXPECT_EQ(told_.back(), "e durable");
}

TEST_F(FaultyLogTest, refuses_and_fails_as_it_is_told) {
    log_.set_faults({.refuse_append = 1, .refuse_as = ErrorKind::unavailable});
    EXPECT_EQ(try_append().error().kind, ErrorKind::unavailable);
    EXPECT_EQ(log_.end(lane), 0U);
    log_.set_faults({.fail_read = 1});
    EXPECT_EQ(log_.read(lane, 0, {}).error().kind, ErrorKind::timed_out);
    log_.set_faults({});
    EXPECT_THAT(stored(), IsEmpty());
}

}  // namespace
}  // namespace footfall::journal
