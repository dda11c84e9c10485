#pragma once

#include "storage_rocksdb/generation.h"

namespace footfall::storage_rocksdb {

/// Orders rows of one table by key and keeps the latest of each key.
///
/// Keys share long beginnings (counter, object) and lie all over the memory, so comparing them two
/// by two would wait for memory n log n times. Instead each pass skips what all keys share, keeps
/// the next eight bytes beside the pointer and sorts by those; rows that are equal so far are
/// sorted again by the bytes behind. Each key is read once or twice in all: about 100 ns a row.
void sort_by_key(SortedRows& rows);

}  // namespace footfall::storage_rocksdb
