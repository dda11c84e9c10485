#pragma once

#include "foundation/result.h"

#include <span>

namespace rocksdb {
class ColumnFamilyHandle;
class DB;
}  // namespace rocksdb

namespace footfall::storage_rocksdb {

using Families = std::span<rocksdb::ColumnFamilyHandle* const>;

/// Whether merges of other tables go on meanwhile. If not, one that is under way is waited for.
enum class Others { wait, go_on };

/// Writes all files of these families anew: rows that were erased, written over or dropped are in
/// none of them afterwards. Blocks, as long as these are large.
Result<void> rewrite_files(rocksdb::DB& db, Families families, Others others);

/// Sees to it that what was erased of the families `secret` before, or written over, is in no file:
/// neither in theirs nor in a log, for which rows of `all` families have to stand in files. The
/// engine removes the old files a little later, bit by bit.
Result<void> shred_families(rocksdb::DB& db, Families secret, Families all);

}  // namespace footfall::storage_rocksdb
