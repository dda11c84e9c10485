#pragma once

#include "storage/table.h"

namespace footfall::journal_rocksdb {

/// Records of a lane, many in a row: `records` holds those from `first` to `last`, one behind the
/// other, each with its length (base 128) before it. A row stands in the segment of its first
/// record.
inline const storage::Table log_block_table{
    .name = "log_block",
    .purpose = "What was judged, in the order of each lane.",
    .partition =
        {{"log", storage::ColumnType::integer},
         {"lane", storage::ColumnType::integer},
         {"segment", storage::ColumnType::integer}},
    .clustering = {{"first", storage::ColumnType::integer}},
    .values = {{"last", storage::ColumnType::integer}, {"records", storage::ColumnType::bytes}},
    .bulk = true,
    .merged_at_once = 14,
    .personal = true
};

/// A record of each lane that is there for certain, so that its end is found without reading all.
inline const storage::Table log_lane_table{
    .name = "log_lane",
    .purpose = "Where to begin to look for the end of each lane.",
    .partition = {{"log", storage::ColumnType::integer}},
    .clustering = {{"lane", storage::ColumnType::integer}},
    .values = {{"first", storage::ColumnType::integer}}
};

/// A lane without a row still has all of its records.
inline const storage::Table log_begin_table{
    .name = "log_begin",
    .purpose = "The first record of each lane that is kept.",
    .partition = {{"log", storage::ColumnType::integer}},
    .clustering = {{"lane", storage::ColumnType::integer}},
    .values = {{"first", storage::ColumnType::integer}}
};

}  // namespace footfall::journal_rocksdb
