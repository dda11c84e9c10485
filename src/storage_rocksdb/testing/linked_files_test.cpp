// The files of one moment, linked for a backup while others write.

#include "foundation_testing/temporary_directory.h"
#include "storage/blocking.h"
#include "storage_rocksdb/directory_format.h"
#include "storage_rocksdb/rocks_store.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <atomic>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>

namespace footfall::storage_rocksdb {
namespace {

namespace fs = std::filesystem;
using storage::Batch;
using storage::ColumnType;
using storage::Table;

const Table linked_rows{
    .name = "linked_rows",
    .purpose = "Rows that are linked.",
    .partition = {{"number", ColumnType::integer}},
    .clustering = {},
    .values = {{"same", ColumnType::integer}}
};

const Table linked_bulk{
    .name = "linked_bulk",
    .purpose = "The same, in bulk.",
    .partition = {{"number", ColumnType::integer}},
    .clustering = {},
    .values = {{"same", ColumnType::integer}},
    .bulk = true
};

class LinkedFiles : public testing::Test {
protected:
    Result<std::unique_ptr<RocksStore>> open(const fs::path& directory) {
        return RocksStore::open(
            {.directory = directory, .tables = {&linked_rows, &linked_bulk}}, clock_, metrics_
        );
    }

    static void put(RocksStore& store, std::int64_t number) {
        Batch batch;
        batch.upsert(linked_rows, {number, number});
        batch.upsert(linked_bulk, {number, number});
        ASSERT_TRUE(storage::write_durably(store, batch));
    }

    static bool has(RocksStore& store, const Table& table, std::int64_t number) {
        const auto found = storage::read_one(store, table, {number});
        EXPECT_TRUE(found);
        return found && found->has_value();
    }

    const TemporaryDirectory here_;
    const SystemClock clock_;
    metrics::Metrics metrics_;
};

TEST_F(LinkedFiles, hold_what_was_acknowledged_and_a_beginning_of_what_follows) {
    const auto store = open(here_ / "data").value();
    std::atomic<std::int64_t> written = 0;
    std::atomic<bool> stop = false;
    std::thread writer{[&] {
        for (std::int64_t number = 1; !stop; ++number) {
            put(*store, number);
            written = number;
        }
    }};
    while (written < 50) {
        std::this_thread::yield();
    }
    const std::int64_t acknowledged = written;
    const auto linked = store->link_files();
    stop = true;
    writer.join();
    ASSERT_TRUE(linked) << linked.error().message;
    fs::copy(*linked, here_ / "copy");
    ASSERT_TRUE(store->unlink_files());
    EXPECT_FALSE(fs::exists(*linked));

    const auto copy = open(here_ / "copy").value();
    std::int64_t last = 0;
    while (has(*copy, linked_rows, last + 1)) {
        ++last;
        EXPECT_TRUE(has(*copy, linked_bulk, last)) << last;
    }
    EXPECT_GE(last, acknowledged);
    for (std::int64_t number = last + 1; number <= written; ++number) {
        EXPECT_FALSE(has(*copy, linked_bulk, number)) << number;
    }
}

TEST_F(LinkedFiles, of_a_backup_that_was_cut_short_are_removed) {
    const fs::path data = here_ / "data";
    {
        const auto store = open(data).value();
        put(*store, 1);
        ASSERT_TRUE(store->link_files());
        ASSERT_TRUE(store->link_files()) << "those of the last time are replaced";
    }
    EXPECT_TRUE(fs::exists(data / linked_folder));
    fs::create_directory(data / (std::string{linked_folder} + ".tmp"));
    ASSERT_TRUE(open(data));
    EXPECT_FALSE(fs::exists(data / linked_folder));
    EXPECT_FALSE(fs::exists(data / (std::string{linked_folder} + ".tmp")));
}

TEST_F(LinkedFiles, a_restore_that_was_cut_short_is_no_data_directory) {
    fs::create_directories(fs::path{here_ / "data"} / restoring_folder);
    const auto store = open(here_ / "data");
    ASSERT_FALSE(store);
    EXPECT_EQ(store.error().kind, ErrorKind::conflict);
    EXPECT_THAT(store.error().message, testing::HasSubstr("run `footfall restore` again"));
}

}  // namespace
}  // namespace footfall::storage_rocksdb
