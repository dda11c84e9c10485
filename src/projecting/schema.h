#pragma once

#include "storage/table.h"

namespace footfall::projecting {

/// From where a lane is told to a projection again after a start. All that follows for it from
/// records before `offset` is stored. `source`: events of the log of events before it are among
/// those records (events::JudgedEvent::source); 0 where there is no log of events.
inline const storage::Table projection_checkpoint_table{
    .name = "projection_checkpoint",
    .purpose = "Up to which record of a lane each projection is stored.",
    .partition = {{"log", storage::ColumnType::integer}},
    .clustering =
        {{"lane", storage::ColumnType::integer}, {"projection", storage::ColumnType::text}},
    .values = {{"offset", storage::ColumnType::integer}, {"source", storage::ColumnType::integer}}
};

}  // namespace footfall::projecting
