#pragma once

#include "storage/table.h"

namespace footfall::showing {

/// A column of each type, as key and as value.
inline const storage::Table visit_table{
    .name = "visit",
    .purpose = "Of these tests.",
    .partition = {{"page", storage::ColumnType::text}, {"room", storage::ColumnType::integer}},
    .clustering =
        {{"day", storage::ColumnType::day},
         {"time", storage::ColumnType::timestamp},
         {"who", storage::ColumnType::bytes}},
    .values =
        {{"note", storage::ColumnType::text},
         {"until", storage::ColumnType::timestamp},
         {"paid", storage::ColumnType::decimal}}
};

}  // namespace footfall::showing
