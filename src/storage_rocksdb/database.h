#pragma once

#include "foundation/clock.h"
#include "foundation/result.h"
#include "metrics/metrics.h"
#include "storage/forgotten_records.h"
#include "storage/table.h"
#include "storage_rocksdb/block.h"
#include "storage_rocksdb/iterator_pool.h"
#include "storage_rocksdb/rocks_options.h"

#include <rocksdb/db.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <shared_mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::storage_rocksdb {

/// The open RocksDB database: one column family a table, one for blocks of bulk rows that do not
/// stand in their tables' files yet, and the directory's format version. It can be closed and
/// opened again while readers exist: use() keeps it open for as long as it runs. Thread-safe;
/// close() and open() exclude use().
class Database {
public:
    /// All that is referred to must outlive the database. A null `env` is the operating system's.
    /// `log` is told what the engine has to say.
    Database(
        std::filesystem::path directory,
        std::vector<const storage::Table*> tables,
        MemoryPlan memory,
        const Clock& clock,
        const storage::ForgottenRecords& forgotten,
        metrics::Metrics& metrics,
        std::shared_ptr<rocksdb::Logger> log,
        rocksdb::Env* env
    );
    ~Database();
    Database(const Database&) = delete;
    Database& operator=(const Database&) = delete;

    /// Opens, creating what is missing. Errors say what to do: the directory is in use, from a
    /// newer program, damaged.
    /// `not_found` if nothing is there and `create` is false.
    Result<void> open(bool create = true);

    /// Closes and opens it, while whoever calls use() waits: only so does the engine write its
    /// MANIFEST anew, which keeps the first and last keys of files that are long gone. As open().
    Result<void> reopen();

    /// What use() says until open() succeeds: `why`, or why open() failed.
    void close(std::string_view why = "closed");

    /// Runs `function(rocksdb::DB&)` while the database stays open; `unavailable` if it is closed.
    template <class Function>
    auto use(const Function& function) -> decltype(function(std::declval<rocksdb::DB&>())) {
        const std::shared_lock lock{mutex_};
        if (!db_) {
            return fail(ErrorKind::unavailable, why_closed_);
        }
        return function(*db_);
    }

    /// The column family of `table`, which must be one of the tables given. Valid until close().
    rocksdb::ColumnFamilyHandle* family(const storage::Table& table) const;

    /// Iterators over the files of a bulk table. To be used while use() keeps the database open.
    IteratorPool& iterators(const storage::Table& table);

    /// Of the blocks: from their number (eight bytes, big-endian) to their bulk rows.
    rocksdb::ColumnFamilyHandle* block_family() const;

    /// Of all tables as tables(), then of the blocks, then of what the store says of itself. Valid
    /// until close().
    std::span<rocksdb::ColumnFamilyHandle* const> families() const { return families_; }

    /// Of the tables whose rows are secret.
    std::vector<rocksdb::ColumnFamilyHandle*> secret_families() const;

    /// Of those whose rows name people.
    std::vector<rocksdb::ColumnFamilyHandle*> personal_families() const;

    const std::vector<const storage::Table*>& tables() const { return tables_; }

    /// Constant after the first open().
    const TableNumbers& numbers() const { return numbers_; }

    /// The numbers of the bulk tables whose partitions are large. After the first open().
    std::vector<std::uint32_t> large_tables() const;

    /// See RocksStore. For one caller at a time.
    Result<std::filesystem::path> link_files();
    Result<void> remove_links() const;

    /// What the store says of itself under `key`; absent: nothing.
    Result<std::optional<std::string>> read_own(rocksdb::DB& db, std::string_view key) const;

    /// Of what the store says of itself. Valid until close().
    rocksdb::ColumnFamilyHandle* own_family() const { return families_.back(); }

    /// Whether opening it made a table in a directory that was there. After the first open().
    bool made_tables() const { return made_tables_; }

private:
    Result<void> check_restored() const;
    Result<void> open_locked(bool create);
    Result<void> open_families(const std::vector<std::string>& on_disk);
    std::vector<rocksdb::ColumnFamilyDescriptor> wanted_families() const;
    void close_locked();
    Result<void> check_files() const;
    Result<std::vector<std::string>> families_on_disk() const;
    Result<void> check_known(const std::vector<std::string>& on_disk) const;
    Result<void> check_format();
    void take_numbers();
    void clear_iterators();
    std::size_t place_of(const storage::Table& table) const;

    const std::filesystem::path directory_;
    const std::vector<const storage::Table*> tables_;
    const MemoryPlan memory_;
    const Clock* clock_;
    const std::shared_ptr<rocksdb::Logger> log_;
    const storage::ForgottenRecords* forgotten_;
    metrics::Metrics* metrics_;
    rocksdb::Env* env_;
    const std::unique_ptr<rocksdb::Env> page_cache_env_;  ///< env_, for the engine.
    std::shared_mutex mutex_;
    std::unique_ptr<rocksdb::DB> db_;                 // guarded by mutex_
    std::vector<IteratorPool> iterators_;             // as tables_
    std::string why_closed_ = "the store is closed";  // guarded by mutex_
    std::vector<rocksdb::ColumnFamilyHandle*>
        families_;  // as tables_, then blocks, then the default one; changed by open, close
    TableNumbers numbers_;
    bool made_tables_ = false;  // by open()
};

}  // namespace footfall::storage_rocksdb
