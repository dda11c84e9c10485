#pragma once

#include <rocksdb/db.h>
#include <rocksdb/options.h>

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::storage_rocksdb {

/// An iterator over one table, and where it has to end. Not thread-safe.
class TableIterator {
public:
    TableIterator(rocksdb::DB& db, rocksdb::ColumnFamilyHandle& family);
    TableIterator(const TableIterator&) = delete;
    TableIterator& operator=(const TableIterator&) = delete;
    ~TableIterator() = default;

    /// Goes to the first key from `first` on that is before `end` (empty: any) and in the partition
    /// of `first`.
    rocksdb::Iterator& seek(std::string_view first, std::string_view end);

    /// Nothing went wrong in its last use.
    bool sound() const { return iterator_->status().ok(); }

private:
    std::string end_bytes_;
    rocksdb::Slice end_;  ///< The iterator looks here for its upper bound.
    std::unique_ptr<rocksdb::Iterator> iterator_;
};

/// Iterators over a table whose rows change with its files alone, kept for the next reader: to make
/// and to destroy one costs 5 us and more with every file, a seek 1 to 5.
///
/// An iterator shows the files of the moment when it was made, and keeps them on the disk. So it
/// serves only readers of that moment: who takes one gives the number of his. Thread-safe.
class IteratorPool {
public:
    /// One that was kept, or a new one.
    std::unique_ptr<TableIterator> take(
        rocksdb::DB& db, rocksdb::ColumnFamilyHandle& family, std::uint64_t moment
    );

    /// Takes back what take() gave at `moment`.
    void give_back(std::unique_ptr<TableIterator> used, std::uint64_t moment);

    /// Destroys what is kept.
    void clear();

private:
    std::mutex mutex_;
    std::vector<std::unique_ptr<TableIterator>> kept_;  // guarded by mutex_
    std::uint64_t moment_ = 0;                          // of all that are kept; guarded by mutex_
};

}  // namespace footfall::storage_rocksdb
