#pragma once

#include "rankings/schema.h"
#include "storage/table.h"

#include <array>

namespace footfall::reading {

/// What a reader read, by reader number and never by name. Of several reads of a URL in a day the
/// last quarter-hour is the latest.
extern const storage::Table read_fact_table;

/// Who read a URL: what one write found new, of one UTC day. A union, so nothing is read to write
/// it. `readers` is packed (docs/formats/reading.md).
extern const storage::Table read_url_table;

/// Which URL a hash stands for.
extern const storage::Table read_page_table;

/// How often each URL of a lane was read on each of the last days, up to a record of the lane.
extern const storage::Table read_count_table;

inline constexpr std::array all_tables{
    &read_fact_table,
    &read_url_table,
    &read_page_table,
    &read_count_table,
    &rankings::rank_day_table,
    &rankings::trend_state_table
};

}  // namespace footfall::reading
