#include "foundation_testing/files_below.h"
#include "foundation_testing/temporary_directory.h"
#include "storage/blocking.h"
#include "storage_rocksdb/rocks_store.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string>
#include <thread>

namespace footfall::storage_rocksdb {
namespace {

using storage::Batch;
using storage::ColumnType;
using storage::Table;

const Table people_of_test{
    .name = "people",
    .purpose = "Rows that name people.",
    .partition = {{"name", ColumnType::text}},
    .clustering = {},
    .values = {{"note", ColumnType::text}},
    .personal = true
};

const Table log_of_test{
    .name = "log_of_people",
    .purpose = "The same, in bulk.",
    .partition = {{"name", ColumnType::text}},
    .clustering = {},
    .values = {{"note", ColumnType::text}},
    .bulk = true,
    .personal = true
};

const Table counts_of_test{
    .name = "counts",
    .purpose = "Rows that name nobody.",
    .partition = {{"number", ColumnType::integer}},
    .clustering = {},
    .values = {{"count", ColumnType::integer}}
};

class RewriteTest : public testing::TestWithParam<bool> {
protected:
    void open() {
        store_.reset();
        auto opened = RocksStore::open(
            {.directory = directory_.path(),
             .tables = {&people_of_test, &log_of_test, &counts_of_test},
             .compress = GetParam(),
             .past_log_bytes = GetParam() ? 0U : 64U << 20},
            clock_,
            metrics_
        );
        ASSERT_TRUE(opened) << opened.error().message;
        store_ = *std::move(opened);
    }

    void put(const Table& table, const std::string& name, const std::string& note) {
        Batch batch;
        batch.upsert(table, {name, note});
        ASSERT_TRUE(storage::write_durably(*store_, batch));
    }

    TemporaryDirectory directory_;
    metrics::Metrics metrics_;
    const SystemClock clock_;
    std::unique_ptr<RocksStore> store_;
};

/// Keys are in the MANIFEST, too, which no compaction writes anew.
TEST_P(RewriteTest, what_was_erased_of_personal_tables_is_in_no_file_nor_the_keys) {
    open();
    for (const Table* const table : {&people_of_test, &log_of_test}) {
        put(*table, "aaa-planted-key", "planted-note");
        put(*table, "kept-key", "kept-note");
    }
    ASSERT_EQ(store_->rewrite(), true);
    EXPECT_TRUE(is_in_files_below(directory_.path(), "aaa-planted-key"));
    Batch batch;
    batch.erase(people_of_test, {"aaa-planted-key"});
    batch.erase(log_of_test, {"aaa-planted-key"});
    ASSERT_TRUE(storage::write_durably(*store_, batch));
    EXPECT_TRUE(is_in_files_below(directory_.path(), "aaa-planted-key"));
    ASSERT_EQ(store_->rewrite(), true);
    EXPECT_TRUE(goes_from_files_below(directory_.path(), "aaa-planted-key"));
    EXPECT_TRUE(goes_from_files_below(directory_.path(), "planted-note"));
    for (const Table* const table : {&people_of_test, &log_of_test}) {
        EXPECT_TRUE(storage::read_one(*store_, *table, {"kept-key"}).value());
        EXPECT_FALSE(storage::read_one(*store_, *table, {"aaa-planted-key"}).value());
    }
    open();
    EXPECT_TRUE(storage::read_one(*store_, log_of_test, {"kept-key"}).value());
}

TEST_P(RewriteTest, who_writes_and_reads_meanwhile_waits_and_loses_nothing) {
    open();
    std::atomic<bool> done = false;
    std::atomic<std::int64_t> written = 0;
    std::thread writer{[&] {
        for (std::int64_t number = 0; !done.load(); ++number) {
            Batch batch;
            batch.upsert(counts_of_test, {number, number});
            batch.upsert(log_of_test, {fmt::format("row {}", number), "note"});
            ASSERT_TRUE(storage::write_durably(*store_, batch));
            written.store(number + 1);
            const auto row = storage::read_one(*store_, counts_of_test, {number});
            ASSERT_TRUE(row) << row.error().message;
            ASSERT_TRUE(*row);
        }
    }};
    for (int round = 0; round < 5; ++round) {
        EXPECT_EQ(store_->rewrite(), true);
    }
    done.store(true);
    writer.join();
    const std::int64_t all = written.load();
    open();
    for (std::int64_t number = 0; number < all; ++number) {
        ASSERT_TRUE(storage::read_one(*store_, counts_of_test, {number}).value()) << number;
        ASSERT_TRUE(storage::read_one(*store_, log_of_test, {fmt::format("row {}", number)}).value()
        ) << number;
    }
}

INSTANTIATE_TEST_SUITE_P(Compressed, RewriteTest, testing::Values(false, true));

}  // namespace
}  // namespace footfall::storage_rocksdb
