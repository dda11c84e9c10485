// Rows of bulk tables on their way into files, while the machine fails: power cuts at any write, a
// full disk, files that cannot be taken in, damage.

#include "foundation/check.h"
#include "foundation/random.h"
#include "foundation_testing/rounds.h"
#include "foundation_testing/temporary_directory.h"
#include "storage/blocking.h"
#include "storage_rocksdb/rocks_store.h"
#include "storage_rocksdb_testing/faulty_file_system.h"
#include "storage_testing/random_rows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rocksdb/db.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace footfall::storage_rocksdb {
namespace {

using storage::Batch;
using storage::ColumnType;
using storage::CommitPosition;
using storage::Table;

const Table plain{
    .name = "plain",
    .purpose = "What each writer wrote, put at once.",
    .partition = {{"writer", ColumnType::integer}},
    .clustering = {{"number", ColumnType::integer}},
    .values = {{"text", ColumnType::text}}
};
const Table bulk{
    .name = "bulk",
    .purpose = "The same in bulk; every third number is erased by the next.",
    .partition = {{"writer", ColumnType::integer}},
    .clustering = {{"number", ColumnType::integer}},
    .values = {{"text", ColumnType::text}},
    .bulk = true
};

const Table seldom{
    .name = "seldom",
    .purpose = "The same in bulk, hardly ever read.",
    .partition = {{"writer", ColumnType::integer}},
    .clustering = {{"number", ColumnType::integer}},
    .values = {{"text", ColumnType::text}},
    .bulk = true,
    .merged_at_once = 16
};

constexpr std::string_view text = "some text to make the row longer";

using Numbers = std::set<std::int64_t>;

/// What `bulk` must hold when `plain` holds 0 to `last`.
Numbers bulk_numbers(std::int64_t last) {
    Numbers numbers;
    for (std::int64_t number = 0; number <= last; ++number) {
        if (number % 3 != 0 || number == last) {
            numbers.insert(number);
        }
    }
    return numbers;
}

class BulkStoreTest : public testing::Test {
protected:
    RocksStoreOptions options() const {
        return {
            .directory = directory_.path(),
            .tables = {&plain, &bulk, &seldom},
            .generation_bytes = 16'000,
            .recover_pause = std::chrono::milliseconds{5},
            .env = env_.get()
        };
    }

    void open() { open(options()); }

    void open(RocksStoreOptions options) {
        store_.reset();
        auto store = RocksStore::open(std::move(options), clock_, metrics_);
        CHECK(store, "the store does not open", store ? "" : store.error().message);
        store_ = *std::move(store);
    }

    Result<CommitPosition> write(std::int64_t writer, std::int64_t number) {
        Batch batch;
        batch.upsert(plain, {writer, number, text});
        batch.upsert(bulk, {writer, number, text});
        if (number % 3 == 1) {
            batch.erase(bulk, {writer, number - 1});
        }
        return store_->submit(batch);
    }

    /// Writes numbers from `next` on, waiting for every tenth, until a write fails or `end` is
    /// reached; answers the highest durable one.
    std::int64_t write_from(std::int64_t writer, std::int64_t next, std::int64_t end) {
        std::int64_t durable = next - 1;
        for (; next < end; ++next) {
            const auto position = write(writer, next);
            if (!position) {
                return durable;
            }
            if (next % 10 == 0) {
                if (!storage::wait_durable(*store_, *position)) {
                    return durable;
                }
                durable = next;
            }
        }
        return durable;
    }

    void write_durably(std::int64_t writer, std::int64_t number) {
        const auto position = write(writer, number);
        ASSERT_TRUE(position) << position.error().message;
        ASSERT_TRUE(storage::wait_durable(*store_, *position));
    }

    Numbers stored(const Table& table, std::int64_t writer) {
        Numbers found;
        storage::RangeQuery query{.table = &table, .partition = {writer}, .max_rows = 300};
        do {
            const auto page = storage::read_page(*store_, query);
            CHECK(page, "rows cannot be read", page ? "" : page.error().message);
            for (std::size_t row = 0; row < page->rows.size(); ++row) {
                found.insert(page->rows.at(row, 1).number());
            }
            query.continuation = page->continuation;
        } while (!query.continuation.empty());
        return found;
    }

    /// Both tables hold the same prefix of what a writer wrote; answers its end.
    std::int64_t check_prefix(std::int64_t writer) {
        const Numbers found = stored(plain, writer);
        const std::int64_t last = found.empty() ? -1 : *found.rbegin();
        EXPECT_EQ(static_cast<std::int64_t>(found.size()), last + 1) << "a gap, writer " << writer;
        EXPECT_EQ(stored(bulk, writer), bulk_numbers(last)) << "writer " << writer;
        return last;
    }

    /// Writers write until the power is cut at a random write to any file; everything durable, and
    /// of each table the same, must be there afterwards.
    void lose_power(std::uint64_t seed) {
        Random random{seed};
        std::array<std::int64_t, 2> durable{};
        {
            std::vector<std::jthread> threads;
            for (std::int64_t writer = 0; writer < 2; ++writer) {
                const std::int64_t next = check_prefix(writer) + 1;
                threads.emplace_back([this, &durable, writer, next] {
                    durable[static_cast<std::size_t>(writer)] =
                        write_from(writer, next, next + 1'000'000);
                });
            }
            const std::uint64_t cut_after = files_->writes() + 1 + random.below(400);
            while (files_->writes() < cut_after) {
                std::this_thread::yield();
            }
            files_->cut_power();
        }
        store_.reset();
        files_->forget_unsynced(random());
        open();
        for (std::int64_t writer = 0; writer < 2; ++writer) {
            EXPECT_GE(check_prefix(writer), durable[static_cast<std::size_t>(writer)]);
        }
    }

    /// What stands in a closed directory of a table, or of blocks.
    struct Stored {
        std::size_t rows = 0;
        std::size_t files = 0;
        std::uint64_t entries = 0;  ///< Rows of all files, and what says that one was erased.
    };

    Stored stored_of(std::string_view table) {
        std::vector<std::string> names;
        const rocksdb::Options options;
        CHECK(
            rocksdb::DB::ListColumnFamilies(options, directory_.path(), &names).ok(), "a database"
        );
        std::vector<rocksdb::ColumnFamilyDescriptor> wanted;
        wanted.reserve(names.size());
        for (const std::string& name : names) {
            wanted.emplace_back(name, rocksdb::ColumnFamilyOptions{});
        }
        std::vector<rocksdb::ColumnFamilyHandle*> families;
        rocksdb::DB* opened = nullptr;
        CHECK(
            rocksdb::DB::OpenForReadOnly(options, directory_.path(), wanted, &families, &opened)
                .ok(),
            "it opens"
        );
        const std::unique_ptr<rocksdb::DB> db{opened};
        Stored stored;
        for (rocksdb::ColumnFamilyHandle* family : families) {
            if (family->GetName() == table) {
                const std::unique_ptr<rocksdb::Iterator> rows{db->NewIterator({}, family)};
                for (rows->SeekToFirst(); rows->Valid(); rows->Next()) {
                    ++stored.rows;
                }
                std::vector<rocksdb::LiveFileMetaData> files;
                db->GetLiveFilesMetaData(&files);
                std::erase_if(files, [&](const auto& file) {
                    return file.column_family_name != table;
                });
                stored.files = files.size();
                for (const rocksdb::LiveFileMetaData& file : files) {
                    stored.entries += file.num_entries;
                }
            }
            CHECK(db->DestroyColumnFamilyHandle(family).ok(), "it closes");
        }
        return stored;
    }

    /// Damages the first block of all table files.
    void damage_tables() const {
        for (const auto& entry : std::filesystem::directory_iterator{directory_.path()}) {
            if (entry.path().extension() == ".sst") {
                std::fstream file{entry.path(), std::ios::in | std::ios::out | std::ios::binary};
                file.seekp(100);
                file << "damage";
            }
        }
    }

    /// Opens the store on bulk rows in table files that are damaged.
    void open_damaged() {
        open();
        write_from(1, 0, 2000);
        write_durably(1, 2000);
        ASSERT_TRUE(store_->compact());
        store_.reset();
        damage_tables();
        open();
    }

    /// Waits until the store is healthy, or is not.
    void wait_for_health(bool healthy) {
        const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds{10};
        while (store_->health().has_value() != healthy) {
            ASSERT_LT(std::chrono::steady_clock::now(), deadline);
            std::this_thread::yield();
        }
    }

    /// Waits until the metrics have what matches.
    void wait_for_metric(const std::string& expression) {
        const testing::Matcher<const std::string&> wanted = testing::ContainsRegex(expression);
        const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds{30};
        while (!wanted.Matches(metrics_.text())) {
            ASSERT_LT(std::chrono::steady_clock::now(), deadline) << expression;
            std::this_thread::yield();
        }
    }

    const TemporaryDirectory directory_;
    SystemClock clock_;
    metrics::Metrics metrics_;
    std::shared_ptr<FaultyFileSystem> files_ = std::make_shared<FaultyFileSystem>();
    std::unique_ptr<rocksdb::Env> env_ = FaultyFileSystem::make_env(files_);
    std::unique_ptr<RocksStore> store_;
};

TEST_F(BulkStoreTest, keeps_all_that_was_durable_when_the_power_is_cut) {
    const std::uint64_t seed = storage::test_seed();
    open();
    for (std::uint64_t round = 0; round < rounds(20) && !HasFailure(); ++round) {
        SCOPED_TRACE(fmt::format("FOOTFALL_SEED={} round {}", seed, round));
        lose_power(seed + round);
    }
    EXPECT_THAT(metrics_.text(), testing::ContainsRegex("generations_written_total [1-9]"));
}

TEST_F(BulkStoreTest, keeps_all_when_syncs_come_at_an_interval_and_the_program_is_stopped) {
    RocksStoreOptions interval = options();
    interval.sync_interval = std::chrono::milliseconds{1};
    open(interval);
    write_from(1, 0, 2000);
    open(interval);
    EXPECT_EQ(check_prefix(1), 1999);
}

TEST_F(BulkStoreTest, reads_rows_wherever_they_are_on_their_way) {
    open();
    for (std::int64_t number = 0; number < 600; ++number) {
        write_durably(1, number);
        if (number % 37 == 0) {
            ASSERT_EQ(check_prefix(1), number);
        }
    }
    ASSERT_TRUE(store_->compact());
    EXPECT_EQ(check_prefix(1), 599);
    EXPECT_THAT(metrics_.text(), testing::HasSubstr("footfall_store_pending_rows 0"));
}

TEST_F(BulkStoreTest, leaves_no_blocks_whose_rows_stand_in_files) {
    RocksStoreOptions roomy = options();
    roomy.generation_bytes = 100 << 20;
    open(roomy);
    write_from(1, 0, 2000);
    write_durably(1, 2000);
    store_.reset();
    EXPECT_GT(stored_of("block").rows, 0U) << "what was not compacted";

    open();
    ASSERT_TRUE(store_->compact());
    store_.reset();
    EXPECT_EQ(stored_of("block").rows, 0U);
    EXPECT_EQ(stored_of("block").files, 0U);

    open(roomy);
    for (std::int64_t number = 2001; number < 2500; ++number) {
        write_durably(1, number);
    }
    open();  // writes them in small portions, and no more blocks
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds{10};
    while (metrics_.text().contains("footfall_store_pending_rows 665\n")) {
        ASSERT_LT(std::chrono::steady_clock::now(), deadline);
    }
    store_.reset();
    EXPECT_LT(stored_of("block").rows, 499U) << "closing drops them, too";
}

TEST_F(BulkStoreTest, replays_more_than_its_memory_holds) {
    RocksStoreOptions roomy = options();
    roomy.generation_bytes = 100 << 20;
    open(roomy);
    write_from(1, 0, 20'000);
    RocksStoreOptions narrow = options();
    narrow.memory_budget_bytes = 1 << 20;
    open(narrow);
    EXPECT_EQ(check_prefix(1), 19'999);
}

TEST_F(BulkStoreTest, merges_files_that_are_seldom_read_and_drops_what_was_erased) {
    constexpr std::int64_t end = 10'000;
    constexpr std::int64_t kept = 300;  // the last so many are not erased
    RocksStoreOptions small = options();
    small.generation_bytes = 4000;
    open(small);
    for (std::int64_t number = 0; number < end; ++number) {
        Batch batch;
        batch.upsert(seldom, {std::int64_t{1}, number, text});
        if (number >= kept) {
            batch.erase(seldom, {std::int64_t{1}, number - kept});
        }
        const auto position = store_->submit(batch);
        ASSERT_TRUE(position) << position.error().message;
        if (number % 50 == 0) {  // or all of it would be a few generations
            ASSERT_TRUE(storage::wait_durable(*store_, *position));
        }
    }
    wait_for_metric("footfall_store_generations_written_total [1-9][0-9][0-9]");
    wait_for_metric("footfall_store_compaction_bytes_total.table=\"seldom\". [1-9]");
    wait_for_metric("footfall_store_compaction_seconds_total.table=\"seldom\". [0-9.e-]*[1-9]");
    EXPECT_EQ(stored(seldom, 1).size(), static_cast<std::size_t>(kept));
    store_.reset();
    const Stored files = stored_of("seldom");
    EXPECT_LE(files.files, 70U) << "of more than a hundred generations";
    EXPECT_LE(files.entries, 15'000U) << "of 19,700";
}

TEST_F(BulkStoreTest, waits_with_its_files_while_the_disk_is_full) {
    RocksStoreOptions narrow = options();
    narrow.memory_budget_bytes = 1 << 20;
    open(narrow);
    files_->fill_disk("/bulk/");
    std::int64_t next = 0;
    Result<CommitPosition> position = write(1, next);
    for (; position; position = write(1, ++next)) {
        ASSERT_TRUE(storage::wait_durable(*store_, *position));
        ASSERT_LT(next, 100'000) << "it must not take more than there is memory for";
    }
    EXPECT_EQ(position.error().kind, ErrorKind::unavailable);
    EXPECT_GT(store_->pressure(), 1);
    EXPECT_THAT(position.error().message, testing::HasSubstr("the disk is full"));
    EXPECT_THAT(store_->health().error().message, testing::HasSubstr("the disk is full"));
    EXPECT_EQ(check_prefix(1), next - 1);

    files_->free_disk();
    wait_for_health(true);
    ASSERT_TRUE(store_->compact());  // healthy as soon as one portion was written
    write_durably(1, next);
    ASSERT_TRUE(store_->compact());
    EXPECT_LT(store_->pressure(), 0.1);
    EXPECT_EQ(check_prefix(1), next);
}

TEST_F(BulkStoreTest, takes_no_writes_while_the_disk_is_nearly_full) {
    std::atomic<std::uintmax_t> room = 1000 << 20;
    RocksStoreOptions watched = options();
    watched.look_at_disk = [&room](std::error_code&) {
        return std::filesystem::space_info{
            .capacity = std::uintmax_t{100} << 30, .free = room, .available = room
        };
    };
    open(watched);
    write_durably(1, 0);
    room = 63 << 20;
    wait_for_health(false);
    const auto refused = write(1, 1);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().kind, ErrorKind::unavailable);
    EXPECT_THAT(refused.error().message, testing::HasSubstr("MiB free on the disk of"));
    EXPECT_EQ(check_prefix(1), 0) << "reading goes on";
    room = 1000 << 20;
    wait_for_health(true);
    write_durably(1, 1);
}

TEST_F(BulkStoreTest, goes_on_when_a_full_disk_has_room_again) {
    open();
    write_from(1, 0, 101);
    files_->fill_disk("");
    const std::int64_t durable = write_from(1, 101, 1'000'000);
    EXPECT_FALSE(store_->health());
    files_->free_disk();
    wait_for_health(true);
    const std::int64_t last = check_prefix(1);
    EXPECT_GE(last, durable);
    write_durably(1, last + 1);
    EXPECT_EQ(check_prefix(1), last + 1);
}

TEST_F(BulkStoreTest, opens_anew_when_files_cannot_be_taken_in) {
    open();
    std::atomic<int> lost = 0;
    const auto losses = store_->on_lost_writes([&lost] { ++lost; });
    files_->fail_next_link();
    for (std::int64_t next = 0; lost == 0; ++next) {
        ASSERT_LT(next, 1'000'000) << "the store must notice";
        if (const auto position = write(1, next); position && next % 10 == 0) {
            (void)storage::wait_durable(*store_, *position);  // or the queue would be full
        }
    }
    wait_for_health(true);
    EXPECT_EQ(lost, 1);
    const std::int64_t last = check_prefix(1);
    write_durably(1, last + 1);
    ASSERT_TRUE(store_->compact());
    EXPECT_EQ(check_prefix(1), last + 1);
}

TEST_F(BulkStoreTest, says_so_when_a_file_is_damaged) {
    ASSERT_NO_FATAL_FAILURE(open_damaged());
    EXPECT_TRUE(store_->health()) << "nobody has looked yet";
    const auto rows = storage::read_all(*store_, {.table = &bulk, .partition = {std::int64_t{1}}});
    ASSERT_FALSE(rows);
    EXPECT_EQ(rows.error().kind, ErrorKind::corrupt);
    EXPECT_THAT(rows.error().message, testing::HasSubstr(".sst"));
    EXPECT_EQ(store_->health().error().kind, ErrorKind::corrupt);
}

TEST_F(BulkStoreTest, takes_no_writes_once_writing_met_damage) {
    ASSERT_NO_FATAL_FAILURE(open_damaged());
    write_durably(2, 0);
    const Result<void> compacted = store_->compact();
    ASSERT_FALSE(compacted);
    EXPECT_EQ(compacted.error().kind, ErrorKind::corrupt);
    std::atomic<int> lost = 0;
    const auto losses = store_->on_lost_writes([&lost] { ++lost; });
    testing::internal::CaptureStderr();
    const auto unknown = write(2, 1);
    ASSERT_TRUE(unknown);
    EXPECT_FALSE(storage::wait_durable(*store_, *unknown));
    const storage::RangeQuery query{.table = &plain, .partition = {std::int64_t{2}}};
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds{10};
    while (lost == 0 || !storage::read_page(*store_, query)) {  // while it is being opened again
        ASSERT_LT(std::chrono::steady_clock::now(), deadline);
    }
    const Result<void> health = store_->health();
    ASSERT_FALSE(health);
    EXPECT_EQ(health.error().kind, ErrorKind::corrupt);
    EXPECT_THAT(health.error().message, testing::ContainsRegex("[0-9]+.sst.*from a backup"));
    EXPECT_THAT(write(2, 2).error().message, testing::ContainsRegex("[0-9]+.sst.*from a backup"));
    EXPECT_EQ(check_prefix(2), 0) << "what can be read is read";
    EXPECT_EQ(lost, 1) << "opened once more, not again and again";
    const std::string said = testing::internal::GetCapturedStderr();
    EXPECT_LT(std::ranges::count(said, '\n'), 10) << said;
}

}  // namespace
}  // namespace footfall::storage_rocksdb
