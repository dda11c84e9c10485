#pragma once

#include "foundation/clock.h"
#include "storage/batch.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace footfall::rankings {

/// Whose objects are ranked by what: the first columns of `rank_day`.
struct RankedBy {
    std::string_view job;
    std::string_view action;
    std::string_view sort;
};

/// An object on a day.
struct RankedObject {
    std::string_view object;
    std::size_t lane = 0;
    std::int64_t day = 0;  ///< UTC, since 1970-01-01.
};

/// Whether a window can begin on this day or later: rows of earlier ones have expired.
bool is_ranked(std::int64_t day, Instant now);

/// Rows for each class that an object came into on a day since its number of that day was `before`:
/// mostly none. Nothing is read. Also for classes that were passed in between: what popular()
/// relies on, and else rows would depend on when they are written. `before` is what stood when rows
/// were written last; 0 if that is not known, which writes rows again that are there.
void append_rank_rows(
    const RankedBy& by,
    const RankedObject& object,
    std::uint64_t before,
    std::uint64_t after,
    storage::Batch& batch
);

/// Appends the keys of all rows that an object with this number has, if it is ranked at all:
/// without one of them a ranking may not find it.
void append_rank_keys(
    const RankedBy& by,
    const RankedObject& object,
    std::uint64_t number,
    std::vector<std::vector<storage::Value>>& keys
);

}  // namespace footfall::rankings
