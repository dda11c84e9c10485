#pragma once

#include "storage/table.h"

namespace footfall::rankings {

/// Every object by the size class of what was counted of it on one UTC day: the way to the largest
/// of a window without looking at all. `job` says whose objects ("views"), `sort` what was counted
/// ("people").
///
/// A row says that the object came that far on that day; it stands in its class and in all below
/// it, and stays when the number shrinks (rank_rows.h). It expires once no window can begin on its
/// day any more.
inline const storage::Table rank_day_table{
    .name = "rank_day",
    .purpose =
        "Objects of a day by size class: 0 for 1 to 3 people or events, 1 for 4 to 15, and so on.",
    .partition =
        {{"job", storage::ColumnType::text},
         {"action", storage::ColumnType::text},
         {"sort", storage::ColumnType::text},
         {"day", storage::ColumnType::day},
         {"size_class", storage::ColumnType::integer},
         {"lane", storage::ColumnType::integer}},
    .clustering = {{"object", storage::ColumnType::text}},
    .values = {{"expires", storage::ColumnType::timestamp}},
    .expires = "expires",
    .bulk = true
};

/// What trends among the objects of one lane, as it was before the record `through` of the lane:
/// docs/formats/trending.md.
inline const storage::Table trend_state_table{
    .name = "trend_state",
    .purpose = "What of late was new of the objects of a lane: candidates of trending.",
    .partition =
        {{"job", storage::ColumnType::text},
         {"log", storage::ColumnType::integer},
         {"lane", storage::ColumnType::integer}},
    .clustering = {},
    .values =
        {{"through", storage::ColumnType::integer},
         {"written", storage::ColumnType::timestamp},
         {"state", storage::ColumnType::bytes}}
};

}  // namespace footfall::rankings
