#include "storage_rocksdb/rocks_store.h"

#include "foundation/check.h"
#include "foundation/random.h"
#include "foundation_testing/temporary_directory.h"
#include "storage/blocking.h"
#include "storage_rocksdb_testing/faulty_file_system.h"
#include "storage_testing/lost_writes.h"
#include "storage_testing/random_rows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rocksdb/db.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace footfall::storage_rocksdb {
namespace {

using storage::Batch;
using storage::ColumnType;
using storage::CommitPosition;
using storage::Table;

const Table numbers{
    .name = "numbers",
    .purpose = "What each writer wrote, in order.",
    .partition = {{"writer", ColumnType::integer}},
    .clustering = {{"number", ColumnType::integer}},
    .values = {{"text", ColumnType::text}}
};

class RocksStoreTest : public testing::Test {
protected:
    Result<std::unique_ptr<RocksStore>> open(std::vector<const Table*> tables = {&numbers}) {
        return RocksStore::open(
            {.directory = directory_.path(),
             .tables = std::move(tables),
             .recover_pause = std::chrono::milliseconds{5},
             .env = env_.get()},
            clock_,
            metrics_
        );
    }

    /// Of the directory, while no store has it open.
    void set_format(const std::string& format) {
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
        ASSERT_TRUE(rocksdb::DB::Open({}, directory, families, &handles, &opened).ok());
        const std::unique_ptr<rocksdb::DB> database{opened};
        ASSERT_TRUE(database->Put({}, "footfall_format", format).ok());
        for (rocksdb::ColumnFamilyHandle* const each : handles) {
            ASSERT_TRUE(database->DestroyColumnFamilyHandle(each).ok());
        }
    }

    static Result<CommitPosition> write(
        storage::Store& store, std::int64_t writer, std::int64_t number
    ) {
        Batch batch;
        batch.upsert(numbers, {writer, number, "some text to make the row longer"});
        return store.submit(batch);
    }

    static std::set<std::int64_t> stored(storage::Store& store, std::int64_t writer) {
        std::set<std::int64_t> found;
        const auto rows = storage::read_all(store, {.table = &numbers, .partition = {writer}});
        CHECK(rows, "rows cannot be read", rows ? "" : rows.error().message);
        for (std::size_t row = 0; row < rows->size(); ++row) {
            found.insert(rows->at(row, 1).number());
        }
        return found;
    }

    /// Writers write until the power is cut at a random moment; answers whether everything that was
    /// durable is there after the restart. What each writer left must be a prefix of what it wrote.
    bool survives_power_cut(std::uint64_t seed);

    const TemporaryDirectory directory_;
    SystemClock clock_;
    metrics::Metrics metrics_;
    std::shared_ptr<FaultyFileSystem> files_ = std::make_shared<FaultyFileSystem>();
    std::unique_ptr<rocksdb::Env> env_ = FaultyFileSystem::make_env(files_);
};

/// Writes numbers from `next` on, waiting for every tenth, until a write fails; answers the highest
/// durable one.
std::int64_t write_until_failure(storage::Store& store, std::int64_t writer, std::int64_t next) {
    std::int64_t durable = next - 1;
    for (;; ++next) {
        Batch batch;
        batch.upsert(numbers, {writer, next, "some text to make the row longer"});
        const auto position = store.submit(batch);
        if (!position) {
            return durable;
        }
        if (next % 10 == 0) {
            if (!storage::wait_durable(store, *position)) {
                return durable;
            }
            durable = next;
        }
    }
}

bool RocksStoreTest::survives_power_cut(std::uint64_t seed) {
    struct Writer {
        std::int64_t id;
        std::int64_t durable = -1;
    };

    std::array<Writer, 3> writers{Writer{.id = 0}, Writer{.id = 1}, Writer{.id = 2}};
    Random random{seed};
    auto store = open();
    CHECK(store, "the store does not open", store ? "" : store.error().message);
    std::vector<std::jthread> threads;
    for (Writer& writer : writers) {
        const auto before = stored(**store, writer.id);
        const std::int64_t next = before.empty() ? 0 : *before.rbegin() + 1;
        threads.emplace_back([&store, &writer, next] {
            writer.durable = write_until_failure(**store, writer.id, next);
        });
    }
    const std::uint64_t cut_after = files_->log_writes() + 1 + random.below(50);
    while (files_->log_writes() < cut_after) {
        std::this_thread::yield();
    }
    files_->cut_power();
    threads.clear();
    store->reset();
    files_->forget_unsynced(random());

    auto reopened = open();
    CHECK(reopened, "the store does not open again", reopened ? "" : reopened.error().message);
    bool all_there = true;
    for (const Writer& writer : writers) {
        const auto found = stored(**reopened, writer.id);
        const std::int64_t last = found.empty() ? -1 : *found.rbegin();
        EXPECT_EQ(static_cast<std::int64_t>(found.size()), last + 1)
            << "writer " << writer.id << " has a gap";
        all_there = all_there && last >= writer.durable;
    }
    return all_there;
}

TEST_F(RocksStoreTest, keeps_all_that_was_durable_when_the_power_is_cut) {
    const std::uint64_t seed = storage::test_seed();
    for (std::uint64_t round = 0; round < 20; ++round) {
        EXPECT_TRUE(survives_power_cut(seed + round)) << "seed " << seed << " round " << round;
    }
}

// The proof that the test above can fail: with the sync call taken out, durable rows are gone.
TEST_F(RocksStoreTest, would_lose_durable_rows_without_the_sync) {
    files_->ignore_log_syncs();
    const std::uint64_t seed = storage::test_seed();
    bool lost = false;
    for (std::uint64_t round = 0; round < 20 && !lost; ++round) {
        lost = !survives_power_cut(seed + round);
    }
    EXPECT_TRUE(lost) << "nothing was lost although nothing was synced: the test does not test";
}

TEST_F(RocksStoreTest, says_outcome_unknown_when_the_sync_fails_and_goes_on_after_reopening) {
    auto store = open();
    ASSERT_TRUE(store);
    std::mutex mutex;
    std::condition_variable changed;
    int lost_writes = 0;
    const auto losses = (*store)->on_lost_writes([&] {
        const std::lock_guard lock{mutex};
        ++lost_writes;
        changed.notify_all();
    });
    const auto before = write(**store, 1, 0);
    ASSERT_TRUE(before);
    ASSERT_TRUE(storage::wait_durable(**store, *before));

    files_->fail_next_log_sync();
    const auto failed = write(**store, 1, 1);
    ASSERT_TRUE(failed);
    EXPECT_EQ(storage::wait_durable(**store, *failed).error().kind, ErrorKind::outcome_unknown);
    {
        std::unique_lock lock{mutex};
        ASSERT_TRUE(changed.wait_for(lock, std::chrono::seconds{10}, [&] {
            return lost_writes == 1;
        }));
    }
    Result<CommitPosition> after = fail(ErrorKind::unavailable, "");
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds{10};
    while (!after && std::chrono::steady_clock::now() < deadline) {
        after = write(**store, 1, 2);
    }
    ASSERT_TRUE(after) << after.error().message;
    ASSERT_TRUE(storage::wait_durable(**store, *after));
    EXPECT_TRUE((*store)->health());
    EXPECT_FALSE((*store)->durable(*failed)) << "a lost position must stay lost";
    EXPECT_EQ(storage::wait_durable(**store, *failed).error().kind, ErrorKind::outcome_unknown);
    const auto found = stored(**store, 1);
    EXPECT_TRUE(found.contains(0));
    EXPECT_TRUE(found.contains(2));
}

TEST_F(RocksStoreTest, tells_of_lost_writes_until_the_subscription_ends) {
    auto store = open();
    ASSERT_TRUE(store);
    std::int64_t number = 0;
    storage::expect_told_until_the_end(**store, [&] {
        files_->fail_next_log_sync();
        const auto failed = write(**store, 1, ++number);
        ASSERT_TRUE(failed);
        ASSERT_FALSE(storage::wait_durable(**store, *failed));
        const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds{10};
        while (!(*store)->health()) {
            ASSERT_LT(std::chrono::steady_clock::now(), deadline);
            std::this_thread::yield();
        }
    });
}

TEST_F(RocksStoreTest, a_directory_belongs_to_one_process) {
    auto store = open();
    ASSERT_TRUE(store);
    auto second = open();
    ASSERT_FALSE(second);
    EXPECT_EQ(second.error().kind, ErrorKind::conflict);
    EXPECT_THAT(second.error().message, testing::HasSubstr("in use by another footfall process"));
}

TEST_F(RocksStoreTest, refuses_what_a_newer_version_wrote) {
    static const Table unknown{
        .name = "from_the_future",
        .purpose = "",
        .partition = {{"key", ColumnType::text}},
        .clustering = {},
        .values = {}
    };
    ASSERT_TRUE(open({&numbers, &unknown}));
    auto older = open({&numbers});
    ASSERT_FALSE(older);
    EXPECT_EQ(older.error().kind, ErrorKind::conflict);
    EXPECT_THAT(older.error().message, testing::HasSubstr("from_the_future"));
}

TEST_F(RocksStoreTest, refuses_what_an_earlier_version_wrote_and_changes_nothing) {
    ASSERT_TRUE(open());
    set_format("4");
    for (int time = 0; time < 2; ++time) {
        const auto opened = open();
        ASSERT_FALSE(opened);
        EXPECT_EQ(opened.error().kind, ErrorKind::conflict);
        EXPECT_THAT(
            opened.error().message,
            testing::HasSubstr("has format 4, which an earlier version of footfall wrote")
        );
    }
    set_format("5");
    EXPECT_TRUE(open());
    set_format("6");
    EXPECT_THAT(open().error().message, testing::HasSubstr("Run the newer version"));
}

TEST_F(RocksStoreTest, adds_tables_that_are_new_in_this_version) {
    static const Table added{
        .name = "added_later",
        .purpose = "",
        .partition = {{"key", ColumnType::text}},
        .clustering = {},
        .values = {}
    };
    ASSERT_TRUE(open({&numbers}));
    EXPECT_TRUE(open({&numbers, &added}));
}

TEST_F(RocksStoreTest, removes_what_it_had_not_finished_deleting) {
    ASSERT_TRUE(open());
    const std::array leftovers{
        directory_.path() / "000999.sst.trash", directory_.path() / "000998.log.trash"
    };
    for (const auto& leftover : leftovers) {
        std::ofstream{leftover} << "cut short";
    }
    const auto store = open();
    ASSERT_TRUE(store) << store.error().message;
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds{30};
    for (const auto& leftover : leftovers) {
        while (std::filesystem::exists(leftover) && std::chrono::steady_clock::now() < until) {
            std::this_thread::yield();
        }
        EXPECT_FALSE(std::filesystem::exists(leftover)) << leftover;
    }
}

TEST_F(RocksStoreTest, refuses_more_when_the_write_queue_is_full) {
    auto store = RocksStore::open(
        {.directory = directory_.path(), .tables = {&numbers}, .write_queue_limit_bytes = 1000},
        clock_,
        metrics_
    );
    ASSERT_TRUE(store);
    Batch batch;
    for (std::int64_t number = 0; number < 100; ++number) {
        batch.upsert(numbers, {std::int64_t{1}, number, "some text to make the row longer"});
    }
    bool refused = false;
    CommitPosition last = 0;
    for (int attempt = 0; attempt < 10'000 && !refused; ++attempt) {
        const auto position = (*store)->submit(batch);
        refused = !position;
        if (refused) {
            EXPECT_EQ(position.error().kind, ErrorKind::overloaded);
        } else {
            last = *position;
        }
    }
    EXPECT_TRUE(refused);
    EXPECT_TRUE(storage::wait_durable(**store, last)) << "what was taken is written all the same";
}

TEST_F(RocksStoreTest, writes_rows_that_nobody_waits_for) {
    auto store = open();
    ASSERT_TRUE(store);
    for (std::int64_t number = 0; number < 3; ++number) {
        const auto position = write(**store, 1, number);
        ASSERT_TRUE(position);
        const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds{10};
        while (!(*store)->durable(*position)) {
            ASSERT_LT(std::chrono::steady_clock::now(), deadline);
            std::this_thread::yield();
        }
    }
}

TEST_F(RocksStoreTest, syncs_at_an_interval_when_asked_to) {
    auto store = RocksStore::open(
        {.directory = directory_.path(),
         .tables = {&numbers},
         .sync_interval = std::chrono::milliseconds{20},
         .env = env_.get()},
        clock_,
        metrics_
    );
    ASSERT_TRUE(store);
    const std::uint64_t syncs = files_->log_syncs();
    const auto position = write(**store, 1, 0);
    ASSERT_TRUE(position);
    ASSERT_TRUE(storage::wait_durable(**store, *position));
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds{10};
    while (files_->log_syncs() == syncs && std::chrono::steady_clock::now() < deadline) {
        std::this_thread::yield();
    }
    EXPECT_GT(files_->log_syncs(), syncs);
}

}  // namespace
}  // namespace footfall::storage_rocksdb
