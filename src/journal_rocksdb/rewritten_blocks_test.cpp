#include "journal_rocksdb/rewritten_blocks.h"

#include "journal_rocksdb/schema.h"
#include "journal_rocksdb/store_log.h"
#include "storage/blocking.h"
#include "storage/deployment.h"
#include "storage/memory_store.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <string>
#include <vector>

namespace footfall::journal_rocksdb {
namespace {

class RewrittenBlocks : public testing::Test {
protected:
    RewrittenBlocks() : log_{StoreLog::open(store_).value()} {}

    void append(std::uint32_t lane, const std::vector<std::string>& records) {
        const std::vector<std::string_view> views{records.begin(), records.end()};
        const auto position = log_->append(lane, views);
        ASSERT_TRUE(position);
        ASSERT_TRUE(storage::wait_durable(store_, *position));
    }

    std::vector<std::string> records(std::uint32_t lane) {
        std::vector<std::string> all;
        for (std::uint64_t from = log_->begin(lane);;) {
            const auto read = log_->read(lane, from, {});
            EXPECT_TRUE(read);
            if (!read || read->empty()) {
                return all;
            }
            for (std::size_t at = 0; at < read->size(); ++at) {
                all.emplace_back((*read)[at]);
            }
            from = read->next();
        }
    }

    Result<std::uint64_t> take_out(std::string_view word) {
        return rewrite_blocks(
            store_,
            [&](std::string_view record) -> Result<std::optional<std::string>> {
                return record.contains(word) ? std::optional{std::string{"gone"}} : std::nullopt;
            },
            {}
        );
    }

    const ManualClock clock_{Instant{}};
    const std::array<const storage::Table*, 4> tables_{
        &storage::deployment_table, &log_block_table, &log_lane_table, &log_begin_table
    };
    storage::MemoryStore store_{tables_, clock_};
    std::unique_ptr<StoreLog> log_;
};

TEST_F(RewrittenBlocks, records_keep_their_places) {
    std::vector<std::string> many;
    many.reserve(3000);
    for (int number = 0; number < 3000; ++number) {
        many.push_back(fmt::format("record {}", number));
    }
    append(3, many);
    append(5, {"a", "record 7", "c"});
    append(5, {"d"});
    EXPECT_EQ(take_out("record 7"), 1 + 10 + 100 + 1)
        << "7, 70 to 79, 700 to 799, and that of lane 5";
    EXPECT_EQ(records(5), (std::vector<std::string>{"a", "gone", "c", "d"}));
    const auto after = records(3);
    ASSERT_EQ(after.size(), many.size());
    EXPECT_EQ(after[7], "gone");
    EXPECT_EQ(after[8], "record 8");
    EXPECT_EQ(after[2999], "record 2999");
    EXPECT_EQ(take_out("record 7"), 0) << "once";
    log_ = StoreLog::open(store_).value();
    EXPECT_EQ(log_->end(3), 3000);
}

TEST_F(RewrittenBlocks, what_is_no_record_is_told_and_stays) {
    append(1, {"a"});
    const auto rewritten = rewrite_blocks(
        store_,
        [](std::string_view) -> Result<std::optional<std::string>> {
            return fail(ErrorKind::corrupt, "no record");
        },
        {}
    );
    ASSERT_FALSE(rewritten);
    EXPECT_EQ(rewritten.error().kind, ErrorKind::corrupt);
    EXPECT_EQ(records(1), std::vector<std::string>{"a"});
}

TEST_F(RewrittenBlocks, it_ends_when_it_is_to) {
    append(1, {"a"});
    std::stop_source stop;
    stop.request_stop();
    EXPECT_EQ(
        rewrite_blocks(
            store_,
            [](std::string_view) { return std::optional<std::string>{"b"}; },
            stop.get_token()
        )
            .error()
            .kind,
        ErrorKind::cancelled
    );
    EXPECT_EQ(records(1), std::vector<std::string>{"a"});
}

}  // namespace
}  // namespace footfall::journal_rocksdb
