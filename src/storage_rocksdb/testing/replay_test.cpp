// A store as it was at any moment: a copy of its files, and the logs of what was written since.

#include "foundation/random.h"
#include "foundation_testing/temporary_directory.h"
#include "foundation_testing/test_seed.h"
#include "storage/blocking.h"
#include "storage_rocksdb/directory_format.h"
#include "storage_rocksdb/rocks_store.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace footfall::storage_rocksdb {
namespace {

namespace fs = std::filesystem;
using storage::Batch;
using storage::ColumnType;
using storage::Table;
using testing::HasSubstr;

const Table replayed_rows{
    .name = "replayed_rows",
    .purpose = "Rows that are written again.",
    .partition = {{"number", ColumnType::integer}},
    .clustering = {},
    .values = {{"value", ColumnType::integer}, {"filler", ColumnType::text}}
};

const Table replayed_bulk{
    .name = "replayed_bulk",
    .purpose = "The same, in bulk.",
    .partition = {{"number", ColumnType::integer}},
    .clustering = {},
    .values = {{"value", ColumnType::integer}, {"filler", ColumnType::text}},
    .bulk = true
};

using Model = std::map<std::pair<const Table*, std::int64_t>, std::int64_t>;

/// A copy of the files of a store, and which logs came with it.
struct Copy {
    fs::path directory;
    Instant at;
    std::uint64_t block = 0;
};

bool comes_true(const std::function<bool()>& condition) {
    constexpr std::chrono::milliseconds between_looks{20};
    const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds{30};
    while (!condition()) {
        if (std::chrono::steady_clock::now() > give_up) {
            return false;
        }
        std::this_thread::sleep_for(between_looks);  // tidy-allow(sleep): files have no event
    }
    return true;
}

class Replay : public testing::Test {
protected:
    static constexpr std::int64_t keys = 40;

    enum class Opened { by_server, by_command, restored };

    Result<std::unique_ptr<RocksStore>> open(
        const fs::path& directory, Opened opened = Opened::by_server
    ) {
        return RocksStore::open(
            {.directory = directory,
             .tables = {&replayed_rows, &replayed_bulk},
             .memory_budget_bytes = 8 << 20,
             .generation_bytes = 4 << 10,
             .past_log_bytes = opened == Opened::by_server ? past_log_bytes_ : std::nullopt,
             .begin_history = opened == Opened::restored},
            clock_,
            metrics_
        );
    }

    /// Writes some rows at a moment of their own, and notes what there is from then on.
    void write(RocksStore& store) {
        clock_.advance(std::chrono::milliseconds{1});
        Batch batch;
        for (std::uint64_t count = random_.below(4) + 1; count > 0; --count) {
            const Table& table = random_.below(2) == 0 ? replayed_rows : replayed_bulk;
            const auto key = static_cast<std::int64_t>(random_.below(keys));
            if (random_.below(4) == 0) {
                batch.erase(table, {key});
                model_.erase({&table, key});
            } else {
                const auto value = static_cast<std::int64_t>(random_.below(1'000'000));
                batch.upsert(table, {key, value, std::string(random_.below(900), 'x')});
                model_[{&table, key}] = value;
            }
        }
        ASSERT_TRUE(storage::write_durably(store, batch));
        models_[clock_.now()] = model_;
    }

    void copy(RocksStore& store, bool forget = true) {
        const std::uint64_t block = store.stamp().block;
        const auto linked = store.link_files();
        ASSERT_TRUE(linked) << linked.error().message;
        const auto blocks = store.past_blocks(*linked);
        ASSERT_TRUE(blocks) << blocks.error().message;
        EXPECT_LE(blocks->first, copies_.empty() ? 1 : copies_.back().block + 1);
        EXPECT_EQ(blocks->first == 0, !past_log_bytes_.value_or(0));
        EXPECT_EQ(blocks->last, blocks->first == 0 ? 0 : block);
        const fs::path directory = here_ / fmt::format("copy{}", copies_.size());
        fs::copy(*linked, directory, fs::copy_options::recursive);
        const fs::path past = directory / past_folder;
        if (fs::exists(past)) {
            for (const auto& log : fs::directory_iterator{past}) {
                logs_[std::stoull(log.path().stem())] = log.path();
            }
        }
        copies_.push_back({.directory = directory, .at = clock_.now(), .block = block});
        ASSERT_TRUE(store.unlink_files());
        if (forget) {
            ASSERT_TRUE(store.forget_past());
        }
    }

    /// Puts a copy where it was restored to, without its logs.
    fs::path restore(const Copy& copy) {
        fs::path directory = here_ / fmt::format("restored{}", restored_++);
        fs::copy(copy.directory, directory, fs::copy_options::recursive);
        fs::remove_all(directory / past_folder);
        return directory;
    }

    static Model rows_of(RocksStore& store) {
        Model rows;
        for (const Table* const table : {&replayed_rows, &replayed_bulk}) {
            for (std::int64_t key = 0; key < keys; ++key) {
                const auto found = storage::read_one(store, *table, {key});
                EXPECT_TRUE(found);
                if (found && found->has_value()) {
                    rows[{table, key}] = std::get<std::int64_t>(found->value()[1]);
                }
            }
        }
        return rows;
    }

    void expect_as_at(Instant moment, const Copy& base) {
        const auto store = open(restore(base), Opened::restored).value();
        const auto replayed = store->replay(logs_, moment);
        ASSERT_TRUE(replayed) << replayed.error().message;
        const auto after = models_.upper_bound(moment);
        ASSERT_NE(after, models_.begin());
        EXPECT_EQ(replayed->last.at, std::prev(after)->first);
        EXPECT_EQ(replayed->reached_end, after != models_.end());
        EXPECT_EQ(rows_of(*store), std::prev(after)->second);
        EXPECT_NE(store->stamp().history, replayed->last.history);
    }

    std::optional<std::uint64_t> past_log_bytes_ = 64 << 20;
    const TemporaryDirectory here_;
    ManualClock clock_{Instant{std::chrono::seconds{1'000'000}}};
    metrics::Metrics metrics_;
    Random random_{test_seed()};
    Model model_;
    std::map<Instant, Model> models_;
    std::vector<Copy> copies_;
    std::map<std::uint64_t, fs::path> logs_;
    int restored_ = 0;
};

TEST_F(Replay, leads_to_any_moment) {
    auto store = open(here_ / "data").value();
    write(*store);
    copy(*store);
    for (int step = 0; step < 400; ++step) {
        write(*store);
        if (random_.below(60) == 0) {
            copy(*store, random_.below(2) == 0);
        }
        if (random_.below(80) == 0) {
            store.reset();
            // A command, for which logs stay as they are, and the server again.
            ASSERT_TRUE(open(here_ / "data", Opened::by_command));
            store = open(here_ / "data").value();
        }
        if (random_.below(80) == 0) {
            ASSERT_TRUE(store->compact());
        }
    }
    copy(*store);
    store.reset();
    for (int each = 0; each < 12; ++each) {
        const std::size_t which = random_.below(copies_.size());
        const std::int64_t from = (copies_[which].at - copies_[0].at).count();
        const std::int64_t to = (copies_.back().at - copies_[0].at).count();
        const std::int64_t moment =
            from +
            static_cast<std::int64_t>(random_.below(static_cast<std::uint64_t>(to - from + 1)));
        expect_as_at(copies_[0].at + std::chrono::microseconds{moment}, copies_[which]);
    }
    expect_as_at(copies_.back().at, copies_.front());
}

TEST_F(Replay, says_when_a_block_is_missing) {
    const auto store = open(here_ / "data").value();
    write(*store);
    copy(*store);
    write(*store);
    const Instant between = clock_.now();
    copy(*store);
    const std::map<std::uint64_t, fs::path> first = std::exchange(logs_, {});
    write(*store);
    copy(*store);
    write(*store);
    copy(*store);
    const auto refused =
        open(restore(copies_[0]), Opened::restored).value()->replay(logs_, clock_.now());
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().kind, ErrorKind::not_found);
    EXPECT_THAT(refused.error().message, HasSubstr("are in no backup"));
    EXPECT_THAT(refused.error().message, HasSubstr("between 1970-01-12T13:46:40.001000Z and "));
    logs_.insert(first.begin(), first.end());
    expect_as_at(between, copies_[0]);
}

TEST_F(Replay, keeps_no_log_that_is_not_wanted) {
    past_log_bytes_ = 0;
    const auto store = open(here_ / "data").value();
    write(*store);
    copy(*store);
    write(*store);
    copy(*store);
    EXPECT_TRUE(logs_.empty());
    EXPECT_FALSE(fs::exists(fs::path{here_ / "data"} / "archive"));
}

TEST_F(Replay, removes_the_oldest_logs_and_all_that_are_not_wanted_any_more) {
    const fs::path archive = fs::path{here_ / "data"} / "archive";
    const auto bytes_kept = [&] {
        std::uintmax_t sum = 0;
        for (const auto& log : fs::directory_iterator{archive}) {
            std::error_code gone;
            const std::uintmax_t bytes = log.file_size(gone);
            sum += gone ? 0 : bytes;
        }
        return sum;
    };
    past_log_bytes_ = 100'000;
    auto store = open(here_ / "data").value();
    for (int round = 0; round < 40; ++round) {
        for (int count = 0; count < 20; ++count) {
            write(*store);
        }
        ASSERT_TRUE(store->link_files());  // so that a log of some 18 KB is done with
    }
    EXPECT_TRUE(comes_true([&] { return bytes_kept() <= 100'000; }));
    EXPECT_GT(bytes_kept(), 50'000U);
    store.reset();
    past_log_bytes_ = 0;
    store = open(here_ / "data").value();
    EXPECT_TRUE(comes_true([&] { return !fs::exists(archive); }));
}

TEST_F(Replay, ignores_the_blocks_of_another_history) {
    auto store = open(here_ / "data").value();
    write(*store);
    copy(*store);
    write(*store);
    copy(*store);
    store.reset();
    const std::map<std::uint64_t, fs::path> of_first = std::exchange(logs_, {});
    const fs::path restored = restore(copies_[0]);
    {
        const auto other = open(restored, Opened::restored).value();
        EXPECT_EQ(other->stamp().block, copies_[0].block);
        EXPECT_NE(other->stamp().history, 0U);
    }
    logs_ = of_first;
    const auto again = open(restored, Opened::restored).value();
    const auto replayed = again->replay(logs_, clock_.now());
    ASSERT_TRUE(replayed);
    EXPECT_EQ(replayed->blocks, 0U);
}

TEST_F(Replay, finds_damage_in_a_log) {
    const auto store = open(here_ / "data").value();
    write(*store);
    copy(*store);
    for (int count = 0; count < 100; ++count) {
        write(*store);
    }
    copy(*store);
    const fs::path log = std::ranges::max_element(logs_, {}, [](const auto& each) {
                             return fs::file_size(each.second);
                         })->second;
    std::fstream file{log, std::ios::in | std::ios::out | std::ios::binary};
    file.seekp(static_cast<std::streamoff>(fs::file_size(log) / 2));
    file.put('?').put('!').put('?').put('!');
    file.close();
    const auto refused =
        open(restore(copies_[0]), Opened::restored).value()->replay(logs_, clock_.now());
    ASSERT_FALSE(refused);
    EXPECT_THAT(
        refused.error().message,
        testing::AnyOf(HasSubstr("is damaged"), HasSubstr("are in no backup"))
    );
}

}  // namespace
}  // namespace footfall::storage_rocksdb
