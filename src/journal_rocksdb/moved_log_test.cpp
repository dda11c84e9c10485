#include "journal_rocksdb/moved_log.h"

#include "journal_rocksdb/schema.h"
#include "journal_rocksdb/store_log.h"
#include "storage/blocking.h"
#include "storage/deployment.h"
#include "storage/memory_store.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::journal_rocksdb {
namespace {

const std::array<const storage::Table*, 4> log_tables{
    &storage::deployment_table, &log_block_table, &log_lane_table, &log_begin_table
};

class MovedLogTest : public testing::Test {
protected:
    const ManualClock clock_{Instant{}};
    storage::MemoryStore store_{log_tables, clock_};
};

TEST_F(MovedLogTest, is_none_where_the_deployment_began) {
    EXPECT_EQ(MovedLog::open(store_).value(), nullptr);
    EXPECT_FALSE(stored_id(store_).value()) << "and none is drawn";
}

TEST_F(MovedLogTest, has_what_its_owner_left) {
    constexpr std::uint32_t lane = 7;
    constexpr std::uint64_t cut = 1500;
    journal::LogId id = 0;
    std::uint64_t end = 0;
    {
        const auto log = StoreLog::open(store_).value();
        id = log->id();
        for (int block = 0; block < 4; ++block) {
            std::vector<std::string> records;
            records.reserve(block_records);
            for (std::size_t at = 0; at < block_records; ++at) {
                records.push_back(fmt::format("record {}", log->end(lane) + at));
            }
            const std::vector<std::string_view> views{records.begin(), records.end()};
            ASSERT_TRUE(storage::wait_durable(store_, log->append(lane, views).value()));
        }
        ASSERT_TRUE(log->retain(lane, cut));
        end = log->end(lane);
    }
    const auto moved = MovedLog::open(store_).value();
    ASSERT_NE(moved, nullptr);
    EXPECT_EQ(moved->id(), id);
    for (const std::uint64_t offset : {cut, cut + 1, std::uint64_t{2999}, end - 1}) {
        const auto records = moved->read(lane, offset, {.records = 1}).value();
        ASSERT_EQ(records.size(), 1U) << offset;
        EXPECT_EQ(records[0], fmt::format("record {}", offset));
    }
    EXPECT_EQ(moved->read(lane, 0, {.records = 1}).value().first(), cut) << "what is left";
    EXPECT_TRUE(moved->read(lane, end, {}).value().empty());
    EXPECT_TRUE(moved->read(lane + 1, 0, {}).value().empty());
}

}  // namespace
}  // namespace footfall::journal_rocksdb
