#include "journal_rocksdb/store_log.h"

#include "foundation/random.h"
#include "journal_rocksdb/schema.h"
#include "journal_testing/faulty_log.h"
#include "journal_testing/log_contract.h"
#include "storage/blocking.h"
#include "storage/deployment.h"
#include "storage/memory_store.h"
#include "storage_testing/faulty_store.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace footfall::journal {
namespace {

using journal_rocksdb::StoreLog;

const std::array<const storage::Table*, 4> tables{
    &storage::deployment_table,
    &journal_rocksdb::log_block_table,
    &journal_rocksdb::log_lane_table,
    &journal_rocksdb::log_begin_table
};

class MemoryLog final : public LogSubject {
public:
    MemoryLog() { reopen(); }

    Log& log() override { return *log_; }

    void reopen() override { log_ = StoreLog::open(store_).value(); }

private:
    const ManualClock clock_{Instant{}};
    storage::MemoryStore store_{tables, clock_};
    std::unique_ptr<StoreLog> log_;
};

}  // namespace

INSTANTIATE_TEST_SUITE_P(
    Memory,
    LogContract,
    testing::Values(
        LogImplementation{.name = "memory", .open = [] { return std::make_unique<MemoryLog>(); }},
        LogImplementation{
            .name = "torn", .open = [] { return torn(std::make_unique<MemoryLog>()); }
        }
    ),
    implementation_name
);

namespace {

/// A log on a store that loses its end, beside what was appended and what was said to be durable.
class FaultyLog {
public:
    explicit FaultyLog(std::uint64_t seed) : random_{seed} { crash(); }

    void append() {
        Lane& lane = lanes_[random_lane()];
        std::vector<std::string> records(1 + random_.below(2000));
        for (std::string& record : records) {
            record = fmt::format("record {}", serial_++);
        }
        const std::vector<std::string_view> views{records.begin(), records.end()};
        const auto appended = log_->append(lane.number, views);
        ASSERT_TRUE(appended);
        lane.appended.insert(lane.appended.end(), records.begin(), records.end());
        log_->when_durable(
            *appended,
            [&lane, size = lane.appended.size()](const Result<void>& durable) {
                if (durable) {
                    lane.durable = size;
                }
            }
        );
    }

    void write_some() { store_->release_writes(1 + random_.below(3)); }

    void lose() {
        if (store_->held_writes() == 0) {
            return;
        }
        store_->lose_writes();
        EXPECT_EQ(times_lost_, ++losses_);
        const std::vector<std::string_view> one{"x"};
        EXPECT_EQ(log_->append(0, one).error().kind, ErrorKind::unavailable);
        store_->set_options(readable);
        ASSERT_TRUE(log_->recover());
        store_->set_options(holding);
        check();
    }

    void crash() {
        log_.reset();
        store_ = std::make_unique<storage::FaultyStore>(inner_, random_(), readable);
        auto log = StoreLog::open(*store_);
        ASSERT_TRUE(log) << log.error().message;
        log_ = *std::move(log);
        log_->on_lost_records([this] { ++times_lost_; });
        store_->set_options(holding);
        check();
    }

private:
    struct Lane {
        std::uint32_t number = 0;
        std::vector<std::string> appended;
        std::size_t durable = 0;
    };

    static constexpr storage::FaultOptions readable{.lose_only_the_end = true};
    static constexpr storage::FaultOptions holding{.lose_only_the_end = true, .hold_writes = true};

    std::uint32_t random_lane() {
        const auto number = static_cast<std::uint32_t>(random_.below(3));
        lanes_[number].number = number;
        return number;
    }

    /// What is there begins with all that was durable, and is a beginning of what was appended.
    void check() {
        for (auto& [number, lane] : lanes_) {
            const std::uint64_t end = log_->end(number);
            ASSERT_GE(end, lane.durable);
            ASSERT_LE(end, lane.appended.size());
            lane.appended.resize(end);
            std::vector<std::string> read;
            for (std::uint64_t from = 0; from < end;) {
                const auto some = log_->read(number, from, {});
                ASSERT_TRUE(some) << some.error().message;
                ASSERT_FALSE(some->empty());
                for (std::size_t at = 0; at < some->size(); ++at) {
                    read.emplace_back((*some)[at]);
                }
                from = some->next();
            }
            ASSERT_EQ(read, lane.appended);
        }
    }

    Random random_;
    const ManualClock clock_{Instant{}};
    storage::MemoryStore inner_{tables, clock_};
    std::unique_ptr<storage::FaultyStore> store_;
    std::unique_ptr<StoreLog> log_;
    std::map<std::uint32_t, Lane> lanes_;
    std::uint64_t serial_ = 0;
    int losses_ = 0;
    int times_lost_ = 0;
};

TEST(StoreLog, loses_nothing_durable_and_only_the_end) {
    Random random{9};
    FaultyLog log{random()};
    for (int step = 0; step < 400; ++step) {
        const std::uint64_t choice = random.below(20);
        if (choice < 11) {
            ASSERT_NO_FATAL_FAILURE(log.append());
        } else if (choice < 18) {
            log.write_some();
        } else if (choice == 18) {
            ASSERT_NO_FATAL_FAILURE(log.lose());
        } else {
            ASSERT_NO_FATAL_FAILURE(log.crash());
        }
    }
}

TEST(StoreLog, never_begins_with_a_gap_however_often_forgetting_fails) {
    constexpr std::uint64_t blocks = 3000;
    constexpr std::uint64_t kept_from = blocks - 100;
    const ManualClock clock{Instant{}};
    storage::MemoryStore inner{tables, clock};
    storage::FaultyStore store{inner, 11, {.lose_only_the_end = true}};
    const auto log = StoreLog::open(store).value();
    for (std::uint64_t at = 0; at < blocks; ++at) {
        const std::string record = fmt::format("record {}", at);
        const std::vector<std::string_view> one{record};
        ASSERT_TRUE(log->append(0, one));
    }
    store.set_options({.refuse_submit = 0.5, .lose_only_the_end = true});
    std::vector<std::uint64_t> begins;
    while (!log->retain(0, kept_from + begins.size())) {
        const auto again = StoreLog::open(inner).value();
        begins.push_back(again->begin(0));
        EXPECT_EQ(log->read(0, 0, {}).value().first(), begins.back());
        const auto read = again->read(0, 0, {});
        ASSERT_TRUE(read) << read.error().message;
        EXPECT_EQ((*read)[0], fmt::format("record {}", begins.back()));
    }
    EXPECT_GT(begins.size(), 1U);
    EXPECT_TRUE(std::ranges::is_sorted(begins));
    EXPECT_EQ(StoreLog::open(inner).value()->begin(0), kept_from + begins.size());
    const auto count_rows = [&](std::int64_t segment) {
        return read_all(
                   inner,
                   {.table = &journal_rocksdb::log_block_table,
                    .partition = {static_cast<std::int64_t>(log->id()), std::int64_t{0}, segment}}
        )
            .value()
            .size();
    };
    EXPECT_EQ(count_rows(0), blocks - kept_from - begins.size()) << "nothing stays behind";
}

TEST(StoreLog, tells_nobody_of_lost_records_once_it_is_gone) {
    const ManualClock clock{Instant{}};
    storage::MemoryStore inner{tables, clock};
    storage::FaultyStore store{inner, 1, {.lose_only_the_end = true}};
    int told = 0;
    const auto lose_a_batch = [&] {
        storage::Batch batch;
        batch.upsert(storage::deployment_table, {"name", "value"});
        store.set_options({.lose_only_the_end = true, .hold_writes = true});
        ASSERT_TRUE(store.submit(batch));
        store.lose_writes();
        store.set_options({.lose_only_the_end = true});
    };
    auto log = StoreLog::open(store).value();
    log->on_lost_records([&] { ++told; });
    lose_a_batch();
    EXPECT_EQ(told, 1);
    log->on_lost_records({});
    lose_a_batch();
    EXPECT_EQ(told, 1);
    log->on_lost_records([&] { ++told; });
    log.reset();
    lose_a_batch();
    EXPECT_EQ(told, 1);
}

TEST(StoreLog, says_where_it_is_damaged) {
    const ManualClock clock{Instant{}};
    storage::MemoryStore store{tables, clock};
    const auto log = StoreLog::open(store).value();
    const std::vector<std::string_view> records{"a", "b"};
    ASSERT_TRUE(log->append(7, records));
    const auto id = static_cast<std::int64_t>(log->id());
    const auto put_block = [&](std::int64_t first, std::int64_t last, std::string_view bytes) {
        storage::Batch batch;
        batch.upsert(
            journal_rocksdb::log_block_table,
            {id, std::int64_t{7}, std::int64_t{0}, first, last, bytes}
        );
        ASSERT_TRUE(write_durably(store, batch));
    };
    put_block(3, 3, "\1d");
    EXPECT_EQ(log->read(7, 0, {}).value().size(), 2U) << "up to the gap";
    EXPECT_EQ(log->read(7, 2, {}).error().message, "the log is damaged: lane 7, record 2");
    put_block(2, 2, "\7c");
    EXPECT_EQ(log->read(7, 2, {}).error().kind, ErrorKind::corrupt);
    put_block(2, 2, "\1cc");
    EXPECT_EQ(log->read(7, 2, {}).error().kind, ErrorKind::corrupt);
    put_block(2, 2, "\1c");
    EXPECT_EQ(log->read(7, 2, {}).value().size(), 2U);
}

}  // namespace
}  // namespace footfall::journal
