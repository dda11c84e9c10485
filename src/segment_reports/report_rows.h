#pragma once

#include "segment_reports/report.h"
#include "storage/store.h"

#include <optional>
#include <string>
#include <vector>

/// The rows of reports (schema.h). All calls block on the store; failures are the store's.
namespace footfall::segment_reports {

/// By name.
Result<std::vector<Report>> read_reports(storage::Store& store);

Result<std::optional<Report>> read_report(storage::Store& store, const std::string& name);

/// In place of the one of its name.
Result<void> write_report(storage::Store& store, const Report& report);

/// Whether there was one. Its days go, too.
Result<bool> remove_report(storage::Store& store, const std::string& name);

/// From the newest on; those that have not expired at `now`.
Result<std::vector<ReportDay>> read_days(
    storage::Store& store, const std::string& name, Instant now
);

Result<std::optional<ReportDay>> read_day(
    storage::Store& store, const std::string& name, std::int32_t day
);

/// In place of what there is of that day.
Result<void> write_day(storage::Store& store, const std::string& name, const ReportDay& day);

}  // namespace footfall::segment_reports
