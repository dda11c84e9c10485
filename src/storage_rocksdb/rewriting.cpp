#include "storage_rocksdb/rewriting.h"

#include "storage_rocksdb/rocks_options.h"

#include <rocksdb/db.h>

#include <vector>

namespace footfall::storage_rocksdb {

Result<void> rewrite_files(rocksdb::DB& db, Families families, Others others) {
    rocksdb::CompactRangeOptions options;
    // Files that are already where they belong are rewritten too: only rewriting drops rows.
    options.bottommost_level_compaction = rocksdb::BottommostLevelCompaction::kForceOptimized;
    options.exclusive_manual_compaction = others == Others::wait;
    for (rocksdb::ColumnFamilyHandle* const family : families) {
        const rocksdb::Status status = db.CompactRange(options, family, nullptr, nullptr);
        if (!status.ok()) {
            return std::unexpected(to_error(status, "write the files of the store anew"));
        }
    }
    return {};
}

Result<void> shred_families(rocksdb::DB& db, Families secret, Families all) {
    // A log goes once no family has rows in memory alone that stand in it.
    const rocksdb::Status status =
        db.Flush({}, std::vector<rocksdb::ColumnFamilyHandle*>{all.begin(), all.end()});
    if (!status.ok()) {
        return std::unexpected(to_error(status, "write rows in memory to files"));
    }
    return rewrite_files(db, secret, Others::go_on);
}

}  // namespace footfall::storage_rocksdb
