#pragma once

#include "foundation/clock.h"
#include "foundation/result.h"
#include "segment_reports/report.h"
#include "storage/store.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace footfall::segment_reports {

/// What is counted for a report now; `not_found`: one of the segments is there no more.
using Count = std::function<Result<ReportDay>(const std::vector<std::string>& segments)>;

/// Counts what is due. Each day is counted once, by its row; a process that was down at the time
/// counts when it is there again, of the last day alone. Several may count at once: each writes a
/// true row, the last one stays.
///
/// One thread's. What it is given must outlive it. Calls block. Failures: the store's, and those of
/// `count` but for `not_found`, which is kept as what the day has.
class Daily {
public:
    Daily(storage::Store& store, const Clock& clock, Count count);

    /// How many were counted.
    Result<std::size_t> take_turn();

    /// Counts it as what today has, in place of what there is.
    Result<ReportDay> count_now(const Report& report) const;

private:
    Result<ReportDay> count_for(const Report& report, std::int32_t day) const;

    storage::Store* store_;
    const Clock* clock_;
    const Count count_;
    /// The last day of each that has a row, so that it is not read at each turn.
    std::map<std::pair<std::string, Instant>, std::int32_t> counted_;
};

}  // namespace footfall::segment_reports
