#pragma once

#include "storage/table.h"

namespace footfall::owners {

/// Who counts a lane of the judged log. The row of the highest generation holds, so that who lost a
/// lane and does not know it yet writes nothing that is believed. `address`: where the owner
/// answers (ADDRESS:PORT); empty: nowhere. `stored`: all that happened before this was counted and
/// is in rows; 0: nobody knows.
inline const storage::Table lane_owner_table{
    .name = "lane_owner",
    .purpose = "Which process counts a lane, and where it answers for it.",
    .partition = {{"log", storage::ColumnType::integer}},
    .clustering =
        {{"lane", storage::ColumnType::integer},
         {"generation", storage::ColumnType::integer, storage::Order::descending}},
    .values = {{"address", storage::ColumnType::text}, {"stored", storage::ColumnType::timestamp}}
};

}  // namespace footfall::owners
