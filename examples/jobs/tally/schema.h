#pragma once

#include "storage/table.h"

namespace footfall::tally {

/// How many events there are of an action on a UTC day, of one lane. `through`: behind the last
/// event that is included, so that an event that is told once more changes nothing.
inline const storage::Table tally_table{
    .name = "tally",
    .purpose = "Events by action and day, of each lane.",
    .partition = {{"lane", storage::ColumnType::integer}},
    .clustering = {{"action", storage::ColumnType::text}, {"day", storage::ColumnType::day}},
    .values = {{"events", storage::ColumnType::integer}, {"through", storage::ColumnType::integer}}
};

/// The same of events that have left the log, so that stored is expired and what the log still has.
inline const storage::Table tally_expired_table = [] {
    storage::Table table = tally_table;
    table.name = "tally_expired";
    table.purpose = "What of tally is of events that are kept no more.";
    return table;
}();

}  // namespace footfall::tally
