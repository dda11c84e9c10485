#pragma once

#include "projecting/writer.h"
#include "storage/table.h"

#include <cstdint>
#include <string_view>

namespace footfall::views {

/// What happened to an object on one UTC day. `counts`: events by quarter-hour and reason,
/// `people`: a sketch, `through`: the offset behind the last event included, in the lane and log
/// that `writer` names. docs/formats/views.md.
inline const storage::Table view_day_table{
    .name = "view_day",
    .purpose = "Events of an object by day, quarter-hour and reason, and a sketch of its people.",
    .partition = {{"action", storage::ColumnType::text}, {"object", storage::ColumnType::text}},
    .clustering =
        {{"day", storage::ColumnType::day, storage::Order::descending},
         {"epoch", storage::ColumnType::integer},
         {"writer", storage::ColumnType::bytes}},
    .values =
        {{"counted", storage::ColumnType::integer},
         {"refused", storage::ColumnType::integer},
         {"counts", storage::ColumnType::bytes},
         {"people", storage::ColumnType::bytes},
         {"through", storage::ColumnType::integer}},
    .bulk = true
};

/// The same of an object's whole life, all in the first quarter-hour.
inline const storage::Table view_total_table{
    .name = "view_total",
    .purpose = "Events of an object by reason, and a sketch of its people, of all time.",
    .partition = {{"action", storage::ColumnType::text}, {"object", storage::ColumnType::text}},
    .clustering = {{"epoch", storage::ColumnType::integer}, {"writer", storage::ColumnType::bytes}},
    .values =
        {{"counted", storage::ColumnType::integer},
         {"refused", storage::ColumnType::integer},
         {"counts", storage::ColumnType::bytes},
         {"people", storage::ColumnType::bytes},
         {"through", storage::ColumnType::integer}},
    .bulk = true
};

/// Every object by the size class of its people, and of its counted events (`sort` says which): the
/// way to the largest without looking at all. A row says that the object came that far, and stays
/// when it grows out of the class: an object stands in its class and in all below it.
inline const storage::Table view_rank_table{
    .name = "view_rank",
    .purpose = "Objects by size class: 0 for 1 to 3 people or views, 1 for 4 to 15, and so on.",
    .partition =
        {{"action", storage::ColumnType::text},
         {"sort", storage::ColumnType::text},
         {"size_class", storage::ColumnType::integer},
         {"lane", storage::ColumnType::integer}},
    .clustering = {{"object", storage::ColumnType::text}},
    .values = {},
    .bulk = true
};

/// What of those two followed from events that have left the log since: the same columns, so that
/// stored is expired and what the log still has.
inline const storage::Table view_expired_day_table = [] {
    storage::Table table = view_day_table;
    table.name = "view_expired_day";
    table.purpose = "What of view_day is of events that are kept no more.";
    return table;
}();

inline const storage::Table view_expired_total_table = [] {
    storage::Table table = view_total_table;
    table.name = "view_expired_total";
    table.purpose = "What of view_total is of events that are kept no more.";
    return table;
}();

/// Where the cells of objects stand.
struct CellTables {
    const storage::Table* day;
    const storage::Table* total;
    bool ranked;  ///< Their totals are ranked, too.
};

inline constexpr CellTables live_tables{
    .day = &view_day_table, .total = &view_total_table, .ranked = true
};
inline constexpr CellTables expired_tables{
    .day = &view_expired_day_table, .total = &view_expired_total_table, .ranked = false
};

/// Under which the objects of views are ranked by days, and trend (rankings/schema.h).
inline constexpr std::string_view ranked_job = "views";

/// What of the judged past is read; another one while events are judged anew.
inline constexpr std::int64_t first_epoch = 0;

/// Names the deployment's one secret in stored sketches.
inline constexpr std::uint16_t deployment_sketch_key = 1;

using projecting::writer_of;

}  // namespace footfall::views
