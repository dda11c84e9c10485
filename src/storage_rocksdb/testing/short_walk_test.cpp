// A walk over several files of one level, one of which cannot be read: the engine ends it as if
// there were no more rows, and nobody may take that for all.

#include "foundation_testing/temporary_directory.h"
#include "storage/blocking.h"
#include "storage_rocksdb/rocks_store.h"

#include <gtest/gtest.h>
#include <rocksdb/db.h>
#include <rocksdb/metadata.h>

#include <algorithm>
#include <fcntl.h>
#include <fstream>
#include <memory>
#include <string>
#include <unistd.h>
#include <vector>

namespace footfall::storage_rocksdb {
namespace {

using storage::Batch;
using storage::ColumnType;
using storage::Table;

const Table walked{
    .name = "walked_rows",
    .purpose = "Rows of one partition in several files.",
    .partition = {{"writer", ColumnType::integer}},
    .clustering = {{"number", ColumnType::integer}},
    .values = {{"text", ColumnType::text}}
};

const Table walked_in_bulk{
    .name = "walked_in_bulk",
    .purpose = "Rows that wait in blocks.",
    .partition = {{"number", ColumnType::integer}},
    .clustering = {},
    .values = {{"text", ColumnType::text}},
    .bulk = true
};

constexpr std::int64_t writer = 7;
constexpr std::size_t files_min = 3;

class ShortWalk : public testing::Test {
protected:
    void open() {
        store_.reset();
        auto opened = RocksStore::open(
            {.directory = directory_.path(), .tables = {&walked, &walked_in_bulk}}, clock_, metrics_
        );
        ASSERT_TRUE(opened) << opened.error().message;
        store_ = *std::move(opened);
    }

    static void damage_beginning_of(const std::string& path) {
        std::fstream file{path, std::ios::in | std::ios::out | std::ios::binary};
        file.seekp(2);
        file.write("????", 4);
    }

    /// A row after the other, each in a file, until the engine has moved some of these side by
    /// side.
    void SetUp() override {
        constexpr std::int64_t rows_max = 200;
        for (; rows_ < rows_max && std::min(below_.size(), blocks_below_.size()) < files_min;
             ++rows_) {
            ASSERT_NO_FATAL_FAILURE(open());
            Batch batch;
            batch.upsert(walked, {writer, rows_, "text"});
            batch.upsert(walked_in_bulk, {rows_, "text"});
            ASSERT_TRUE(storage::write_durably(*store_, batch));
            ASSERT_NO_FATAL_FAILURE(open());
            store_.reset();
            ASSERT_NO_FATAL_FAILURE(look_below());
        }
        ASSERT_GE(below_.size(), files_min);
        ASSERT_GE(blocks_below_.size(), files_min);
        open();
    }

    /// Looks for the files that lie side by side, in the order of their keys.
    void look_below() {
        const std::string directory = directory_.path().string();
        std::vector<std::string> names;
        ASSERT_TRUE(rocksdb::DB::ListColumnFamilies({}, directory, &names).ok());
        std::vector<rocksdb::ColumnFamilyDescriptor> families;
        families.reserve(names.size());
        for (const std::string& name : names) {
            families.emplace_back(name, rocksdb::ColumnFamilyOptions{});
        }
        std::vector<rocksdb::ColumnFamilyHandle*> handles;
        rocksdb::DB* opened = nullptr;
        ASSERT_TRUE(rocksdb::DB::OpenForReadOnly({}, directory, families, &handles, &opened).ok());
        const std::unique_ptr<rocksdb::DB> database{opened};
        for (rocksdb::ColumnFamilyHandle* const each : handles) {
            rocksdb::ColumnFamilyMetaData described;
            database->GetColumnFamilyMetaData(each, &described);
            std::vector<std::string> files;
            for (const auto& level : described.levels) {
                for (const auto& file : level.files) {
                    if (level.level > 0) {
                        files.push_back(directory + file.name);
                    }
                }
            }
            if (each->GetName() == walked.name) {
                below_ = std::move(files);
            } else if (each->GetName() == "block") {
                blocks_below_ = std::move(files);
            }
            ASSERT_TRUE(database->DestroyColumnFamilyHandle(each).ok());
        }
    }

    static void drop_from_memory(const std::string& path) {
        const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
        ASSERT_GE(file, 0);
        ::fdatasync(file);
        ::posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
        ::close(file);
    }

    static storage::RangeQuery all_rows() { return {.table = &walked, .partition = {writer}}; }

    const TemporaryDirectory directory_;
    SystemClock clock_;
    metrics::Metrics metrics_;
    std::unique_ptr<RocksStore> store_;
    std::int64_t rows_ = 0;
    std::vector<std::string> below_;
    std::vector<std::string> blocks_below_;
};

TEST_F(ShortWalk, what_is_not_in_memory_makes_no_page_of_the_rest) {
    for (const std::string& each : below_) {
        drop_from_memory(each);
    }
    for (std::int64_t row = 0; row < rows_; ++row) {
        if (const auto now = store_->read_range_now(all_rows())) {
            ASSERT_TRUE(*now);
            EXPECT_EQ((*now)->rows.size(), rows_) << row << " rows are in memory";
        }
        const auto page = storage::read_page(
            *store_, {.table = &walked, .partition = {writer}, .from = {row}, .through = {row}}
        );
        ASSERT_TRUE(page);
        ASSERT_EQ(page->rows.size(), 1);
    }
    const auto now = store_->read_range_now(all_rows());
    ASSERT_TRUE(now && *now) << "all is in memory";
    EXPECT_EQ((*now)->rows.size(), rows_);
}

TEST_F(ShortWalk, a_file_that_cannot_be_read_is_an_error_whichever_it_is) {
    damage_beginning_of(below_.back());
    const auto page = storage::read_page(*store_, all_rows());
    EXPECT_FALSE(page) << page->rows.size() << " of " << rows_;
    const auto now = store_->read_range_now(all_rows());
    EXPECT_FALSE(now && *now);
    const auto scanned = storage::scan_page(*store_, {.table = &walked});
    EXPECT_FALSE(scanned) << scanned->rows.size();
    EXPECT_FALSE(store_->compact()) << "what is merged would lose the rest";
}

TEST_F(ShortWalk, blocks_that_cannot_be_read_are_not_taken_for_the_end) {
    store_.reset();
    damage_beginning_of(blocks_below_.at(1));
    const auto opened = RocksStore::open(
        {.directory = directory_.path(), .tables = {&walked, &walked_in_bulk}}, clock_, metrics_
    );
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().kind, ErrorKind::corrupt);
    EXPECT_TRUE(opened.error().message.contains("blocks of bulk rows")) << opened.error().message;
}

}  // namespace
}  // namespace footfall::storage_rocksdb
