#pragma once

#include "rankings/rank_rows.h"
#include "storage/store.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace footfall::rankings {

/// The first page of each lane of a day and class.
struct ClassPages {
    std::vector<storage::RangeQuery> queries;  ///< By lane.
    std::vector<storage::Page> pages;
};

/// Of each of these few days, in order: those of a day by one read where the store can do that,
/// days side by side. Waits.
Result<std::vector<ClassPages>> read_class_pages(
    storage::Store& store,
    const RankedBy& by,
    std::span<const std::int64_t> days,
    int size_class,
    std::size_t max_rows
);

}  // namespace footfall::rankings
