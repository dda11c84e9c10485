#include "storage_rocksdb/iterator_pool.h"

#include "storage_rocksdb/rocks_options.h"
#include "storage_rocksdb/slices.h"

#include <utility>

namespace footfall::storage_rocksdb {
namespace {

/// Behind all keys: none begins with so many of these.
const std::string behind_all(64, '\xff');

}  // namespace

TableIterator::TableIterator(rocksdb::DB& db, rocksdb::ColumnFamilyHandle& family) {
    rocksdb::ReadOptions options = walk_options();
    options.prefix_same_as_start = true;
    options.iterate_upper_bound = &end_;
    iterator_.reset(db.NewIterator(options, &family));
}

rocksdb::Iterator& TableIterator::seek(std::string_view first, std::string_view end) {
    end_bytes_ = end.empty() ? std::string_view{behind_all} : end;
    end_ = end_bytes_;
    iterator_->Seek(slice_of(first));
    return *iterator_;
}

std::unique_ptr<TableIterator> IteratorPool::take(
    rocksdb::DB& db, rocksdb::ColumnFamilyHandle& family, std::uint64_t moment
) {
    std::vector<std::unique_ptr<TableIterator>> old;  // destroyed without the mutex
    {
        const std::lock_guard lock{mutex_};
        if (moment_ != moment) {
            std::swap(old, kept_);
            moment_ = moment;
        }
        if (!kept_.empty()) {
            std::unique_ptr<TableIterator> taken = std::move(kept_.back());
            kept_.pop_back();
            return taken;
        }
    }
    return std::make_unique<TableIterator>(db, family);
}

void IteratorPool::give_back(std::unique_ptr<TableIterator> used, std::uint64_t moment) {
    const std::lock_guard lock{mutex_};
    if (moment_ == moment && used->sound()) {
        kept_.push_back(std::move(used));
    }
}

void IteratorPool::clear() {
    std::vector<std::unique_ptr<TableIterator>> old;  // destroyed without the mutex
    const std::lock_guard lock{mutex_};
    std::swap(old, kept_);
}

}  // namespace footfall::storage_rocksdb
