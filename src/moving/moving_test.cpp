// Tables moved between stores through files, cut short at any page and any write.

#include "foundation/random.h"
#include "foundation_testing/temporary_directory.h"
#include "moving/export_tables.h"
#include "moving/import_progress.h"
#include "moving/import_tables.h"
#include "storage/blocking.h"
#include "storage/deployment.h"
#include "storage/memory_store.h"
#include "storage_rocksdb/rocks_store.h"
#include "storage_testing/contract_tables.h"
#include "storage_testing/faulty_store.h"
#include "storage_testing/random_rows.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <map>
#include <memory>
#include <string>

namespace footfall::moving {
namespace {

using storage::Batch;
using storage::MemoryStore;
using storage::Row;
using storage::Store;
using storage::Table;
using testing::HasSubstr;

std::vector<const Table*> all_tables() {
    std::vector<const Table*> tables{&storage::deployment_table, &import_progress_table};
    const auto contract = storage::contract_tables();
    tables.insert(tables.end(), contract.begin(), contract.end());
    return tables;
}

/// What lies in a directory: names and bytes.
std::map<std::string, std::string> files_in(const std::filesystem::path& directory) {
    std::map<std::string, std::string> files;
    for (const auto& entry : std::filesystem::directory_iterator{directory}) {
        files[entry.path().filename().string()] = read_text(entry.path());
    }
    return files;
}

class MovingTest : public testing::Test {
protected:
    /// Rows of all tables, some of which expired.
    void fill(Store& store, std::size_t rows_a_table) {
        ASSERT_TRUE(storage::load_secret(store));
        Random random{3};
        storage::RandomRows values{random};
        const std::int64_t now = clock_.now().time_since_epoch().count();
        for (const Table* table : storage::contract_tables()) {
            Batch batch;
            for (std::size_t row = 0; row < rows_a_table; ++row) {
                Row made = values.key(*table);
                made.front() = table->column(0).type == storage::ColumnType::text
                                   ? storage::Value{std::to_string(row)}
                                   : storage::Value{static_cast<std::int64_t>(row)};
                const Row rest = values.values(*table);
                made.insert(made.end(), rest.begin(), rest.end());
                if (!table->expires.empty()) {
                    made[table->expires_index()] =
                        random.below(3) == 0 ? now - 1 : now + std::int64_t{1} * 100'000'000;
                }
                batch.upsert(*table, storage::views_of(made));
            }
            ASSERT_TRUE(write_durably(store, batch));
        }
    }

    Result<Exported> export_to(Store& store, const std::string& directory) {
        return export_tables(
            store,
            tables_,
            clock_,
            {.directory = directory, .chunk_bytes = 2'000, .runs_a_level = 3}
        );
    }

    Result<Imported> import_from(Store& store, const std::string& directory) {
        return import_tables(
            store, tables_, clock_, {.directory = directory, .checkpoint_bytes = 500}
        );
    }

    std::unique_ptr<storage_rocksdb::RocksStore> open_rocks(const std::string& name) {
        auto opened = storage_rocksdb::RocksStore::open(
            {.directory = directory_ / name, .tables = tables_, .generation_bytes = 3'000},
            clock_,
            metrics_
        );
        EXPECT_TRUE(opened);
        return *std::move(opened);
    }

    const TemporaryDirectory directory_;
    ManualClock clock_{Instant{std::chrono::days{20'000}}};
    metrics::Metrics metrics_;
    const std::vector<const Table*> tables_ = all_tables();
    MemoryStore memory_{tables_, clock_};
};

// The memory store is read backwards, RocksDB in the order of keys.
TEST_F(MovingTest, there_and_back_makes_the_same_bytes) {
    fill(memory_, 300);
    const auto first = export_to(memory_, directory_ / "first");
    ASSERT_TRUE(first) << first.error().message;
    EXPECT_GT(first->manifest.rows(), 1'000U);
    const auto rocks = open_rocks("rocks");
    const auto there = import_from(*rocks, directory_ / "first");
    ASSERT_TRUE(there) << there.error().message;
    EXPECT_TRUE(there->equal());
    EXPECT_EQ(there->tables.size(), tables_.size() - 1);
    ASSERT_TRUE(export_to(*rocks, directory_ / "second"));
    EXPECT_TRUE(files_in(directory_ / "second") == files_in(directory_ / "first"));

    MemoryStore back{tables_, clock_};
    ASSERT_TRUE(import_from(back, directory_ / "second"));
    ASSERT_TRUE(export_to(back, directory_ / "third"));
    EXPECT_TRUE(files_in(directory_ / "third") == files_in(directory_ / "first"));
    EXPECT_TRUE(files_in(directory_ / "first").contains("manifest"));
    EXPECT_FALSE(files_in(directory_ / "first").contains("state"));
    EXPECT_EQ(*deployment_name(back), *deployment_name(memory_));
}

TEST_F(MovingTest, an_export_that_fails_at_any_page_goes_on_and_makes_the_same_bytes) {
    fill(memory_, 700);
    ASSERT_TRUE(export_to(memory_, directory_ / "whole"));
    int failures = 0;
    std::uint64_t resumed = 0;
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        const std::string target = directory_ / fmt::format("cut-{}", seed);
        storage::FaultyStore faulty{memory_, seed, {.fail_read = 0.2}};
        for (int attempt = 0; attempt < 1'000; ++attempt) {
            const auto exported = export_to(faulty, target);
            if (exported) {
                resumed += exported->resumed_rows;
                break;
            }
            ++failures;
            // What a crash may leave behind the last point to go on from.
            if (!std::filesystem::exists(target + "/state")) {
                continue;
            }
            const auto files = files_in(target);
            for (const auto& [name, bytes] : files) {
                const std::string table = name.substr(0, name.find('.'));
                if (name != "state" &&
                    !files.at("state").contains(fmt::format("done {} ", table))) {
                    std::filesystem::resize_file(
                        std::filesystem::path{target} / name, bytes.size() + 7
                    );
                }
            }
        }
        EXPECT_TRUE(files_in(target) == files_in(directory_ / "whole")) << seed;
    }
    EXPECT_GT(failures, 10);
    EXPECT_GT(resumed, 0U);
}

TEST_F(MovingTest, an_import_that_fails_at_any_write_goes_on_and_loses_nothing) {
    fill(memory_, 200);
    ASSERT_TRUE(export_to(memory_, directory_ / "whole"));
    int failures = 0;
    std::uint64_t resumed = 0;
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        MemoryStore target{tables_, clock_};
        bool done = false;
        for (std::uint64_t attempt = 0; attempt < 1'000 && !done; ++attempt) {
            storage::FaultyStore faulty{
                target,
                seed * 1'000 + attempt,
                {.refuse_submit = 0.2, .refuse_as = ErrorKind::unavailable, .fail_read = 0.01}
            };
            const auto imported = import_from(faulty, directory_ / "whole");
            done = imported.has_value();
            failures += done ? 0 : 1;
            if (done) {
                resumed += imported->resumed_rows;
                EXPECT_TRUE(imported->equal());
            }
        }
        ASSERT_TRUE(export_to(target, directory_ / fmt::format("again-{}", seed)));
        EXPECT_TRUE(
            files_in(directory_ / fmt::format("again-{}", seed)) == files_in(directory_ / "whole")
        );
    }
    EXPECT_GT(failures, 10);
    EXPECT_GT(resumed, 0U);
}

TEST_F(MovingTest, an_import_that_is_done_is_not_done_again) {
    fill(memory_, 10);
    ASSERT_TRUE(export_to(memory_, directory_ / "whole"));
    MemoryStore target{tables_, clock_};
    ASSERT_TRUE(import_from(target, directory_ / "whole"));
    const auto again = import_from(target, directory_ / "whole");
    ASSERT_TRUE(again);
    EXPECT_TRUE(again->was_done);
}

TEST_F(MovingTest, a_store_that_is_not_empty_or_holds_another_export_is_refused) {
    fill(memory_, 10);
    ASSERT_TRUE(export_to(memory_, directory_ / "whole"));
    const auto own = import_from(memory_, directory_ / "whole");
    ASSERT_FALSE(own);
    EXPECT_EQ(own.error().kind, ErrorKind::conflict);
    EXPECT_THAT(own.error().message, HasSubstr("not empty"));

    MemoryStore other{tables_, clock_};
    fill(other, 5);
    ASSERT_TRUE(export_to(other, directory_ / "other"));
    MemoryStore target{tables_, clock_};
    ASSERT_TRUE(import_from(target, directory_ / "whole"));
    const auto second = import_from(target, directory_ / "other");
    ASSERT_FALSE(second);
    EXPECT_EQ(second.error().kind, ErrorKind::conflict);
}

TEST_F(MovingTest, an_export_goes_only_into_an_empty_directory_or_on_with_its_own) {
    fill(memory_, 10);
    ASSERT_TRUE(export_to(memory_, directory_ / "whole"));
    const auto again = export_to(memory_, directory_ / "whole");
    ASSERT_FALSE(again);
    EXPECT_EQ(again.error().kind, ErrorKind::conflict);

    storage::FaultyStore faulty{memory_, 1, {.fail_read = 0.5}};
    while (!std::filesystem::exists(directory_.path() / "cut" / "state")) {
        ASSERT_FALSE(export_to(faulty, directory_ / "cut"));
    }
    MemoryStore other{tables_, clock_};
    fill(other, 10);
    const auto mixed = export_to(other, directory_ / "cut");
    ASSERT_FALSE(mixed);
    EXPECT_THAT(mixed.error().message, HasSubstr("another deployment"));
}

TEST_F(MovingTest, a_half_imported_store_is_neither_served_nor_exported) {
    fill(memory_, 10);
    ASSERT_TRUE(export_to(memory_, directory_ / "whole"));
    MemoryStore target{tables_, clock_};
    EXPECT_TRUE(check_whole(target));
    ASSERT_TRUE(write_progress(target, {.export_id = "x", .phase = ImportProgress::Phase::verify}));
    ASSERT_FALSE(check_whole(target));
    const auto exported = export_to(target, directory_ / "half");
    ASSERT_FALSE(exported);
    EXPECT_THAT(exported.error().message, HasSubstr("cut short"));
}

TEST_F(MovingTest, a_row_that_is_lost_changed_or_added_in_the_store_is_told) {
    fill(memory_, 10);
    ASSERT_TRUE(export_to(memory_, directory_ / "whole"));
    const Table& table = storage::settings;
    for (const int damage : {0, 1, 2}) {
        MemoryStore target{tables_, clock_};
        ASSERT_TRUE(import_from(target, directory_ / "whole"));
        const auto earlier = read_progress(target);
        ASSERT_TRUE(earlier);
        ImportProgress progress = earlier->value_or(ImportProgress{});
        progress.phase = ImportProgress::Phase::verify;
        ASSERT_TRUE(write_progress(target, progress));
        Batch batch;
        if (damage == 0) {
            batch.erase(table, {std::int64_t{3}});
        } else {
            batch.upsert(table, {std::int64_t{damage == 1 ? 3 : 1'000}, "another text"});
        }
        ASSERT_TRUE(write_durably(target, batch));
        const auto verified = import_from(target, directory_ / "whole");
        ASSERT_TRUE(verified);
        EXPECT_FALSE(verified->equal());
        for (const ImportedTable& found : verified->tables) {
            EXPECT_EQ(found.verified.equal(), found.name != table.name) << found.name;
        }
    }
}

TEST_F(MovingTest, expired_rows_stay_behind_and_may_go_before_it_is_verified) {
    const std::int64_t now = clock_.now().time_since_epoch().count();
    Batch batch;
    batch.upsert(storage::marks, {"page", std::int64_t{0}, "gone", now});
    batch.upsert(storage::marks, {"page", std::int64_t{0}, "soon", now + 1'000'000});
    batch.upsert(storage::marks, {"page", std::int64_t{0}, "stays", std::int64_t{0}});
    ASSERT_TRUE(write_durably(memory_, batch));
    const auto exported = export_to(memory_, directory_ / "whole");
    ASSERT_TRUE(exported);
    EXPECT_EQ(exported->manifest.rows(), 2U);
    clock_.advance(std::chrono::hours{2});
    MemoryStore target{tables_, clock_};
    const auto imported = import_from(target, directory_ / "whole");
    ASSERT_TRUE(imported);
    EXPECT_TRUE(imported->equal());
    for (const ImportedTable& table : imported->tables) {
        EXPECT_EQ(table.verified.found.rows, table.name == "marks" ? 1U : 0U) << table.name;
    }
}

TEST_F(MovingTest, damage_anywhere_in_an_export_is_told) {
    fill(memory_, 5);
    ASSERT_TRUE(export_to(memory_, directory_ / "whole"));
    for (const auto& [name, bytes] : files_in(directory_ / "whole")) {
        const std::string path = "whole/" + name;
        std::string damaged = bytes;
        damaged[bytes.size() * 2 / 3] = static_cast<char>(damaged[bytes.size() * 2 / 3] ^ 1);
        for (const std::string& broken : {damaged, bytes.substr(0, bytes.size() - 1)}) {
            (void)directory_.write(path, broken);
            MemoryStore target{tables_, clock_};
            const auto imported = import_from(target, directory_ / "whole");
            ASSERT_FALSE(imported) << name;
            EXPECT_EQ(imported.error().kind, ErrorKind::corrupt) << name;
        }
        std::filesystem::remove(directory_.path() / path);
        MemoryStore target{tables_, clock_};
        const auto missing = import_from(target, directory_ / "whole");
        ASSERT_FALSE(missing) << name;
        EXPECT_EQ(missing.error().kind, ErrorKind::not_found) << name;
        (void)directory_.write(path, bytes);
    }
}

}  // namespace
}  // namespace footfall::moving
