#pragma once

#include "storage/table.h"

#include <chrono>
#include <cstdint>

namespace footfall::timeseries {

/// As a timestamp column has it.
inline std::int64_t micros(std::chrono::microseconds span) {
    return span.count();
}

/// Of points as they came, in the column `resolution`.
inline constexpr std::int64_t as_they_came = 0;

/// Points of a series, a block (series/block.h) of each hour and writing. A block is written blind,
/// beside those that are there; of two values of a time that of the later writing stands.
inline const storage::Table point_block_table{
    .name = "point_block",
    .purpose = "Points of a series by hour, compressed, a row each time some were written.",
    .partition =
        {{"series", storage::ColumnType::integer},
         {"day", storage::ColumnType::day},
         {"resolution", storage::ColumnType::integer}},
    .clustering =
        {{"hour", storage::ColumnType::timestamp},
         {"written", storage::ColumnType::timestamp},
         {"writer", storage::ColumnType::integer}},
    .values = {{"points", storage::ColumnType::bytes}, {"expires", storage::ColumnType::timestamp}},
    .expires = "expires",
    .bulk = true,
    .shared = true,
    .compaction = storage::Compaction::write_heavy
};

/// What points of a series came to in each step of time (series/cell.h), by hour: as they were when
/// the row with the last number of `written` and `writer` was the newest of the hour's points. Of
/// several rows of an hour the last number stands, and whole. A row of the hour 0 has cells of
/// several hours, in place of rows of up to its number; cells of later rows stand before its.
inline const storage::Table point_cells_table{
    .name = "point_cells",
    .purpose = "Least, largest, sum, number and last of the points of a series by steps of time.",
    .partition =
        {{"series", storage::ColumnType::integer},
         {"period", storage::ColumnType::day},
         {"step", storage::ColumnType::integer}},
    .clustering =
        {{"hour", storage::ColumnType::timestamp},
         {"written", storage::ColumnType::timestamp},
         {"writer", storage::ColumnType::integer}},
    .values = {{"cells", storage::ColumnType::bytes}, {"expires", storage::ColumnType::timestamp}},
    .expires = "expires",
    .bulk = true,
    .shared = true,
    .compaction = storage::Compaction::write_heavy
};

/// Which hours of which series were written to in an hour, so that they can be found when each is
/// to become one block. Rows stand in a few parts, by the number of the series.
inline const storage::Table unsealed_hour_table{
    .name = "unsealed_hour",
    .purpose = "Hours of series that are to become one block of points, by when they were written.",
    .partition =
        {{"written_hour", storage::ColumnType::timestamp}, {"part", storage::ColumnType::integer}},
    .clustering =
        {{"series", storage::ColumnType::integer}, {"hour", storage::ColumnType::timestamp}},
    .values = {{"expires", storage::ColumnType::timestamp}},
    .expires = "expires",
    .shared = true,
    .compaction = storage::Compaction::write_heavy
};

/// Every series that has points: its number is a keyed hash of name and tags.
inline const storage::Table series_table{
    .name = "series",
    .purpose = "Series of metrics by name and tags, and the number by which their points are kept.",
    .partition = {{"name", storage::ColumnType::text}},
    .clustering = {{"tags", storage::ColumnType::text}},
    .values =
        {{"series", storage::ColumnType::integer}, {"expires", storage::ColumnType::timestamp}},
    .expires = "expires",
    .shared = true
};

}  // namespace footfall::timeseries
