#pragma once

#include "storage/table.h"

/// Overlaps of segments that are counted each day at the same time, and kept.
namespace footfall::segment_reports {

/// What is to be counted each day.
extern const storage::Table segment_report_table;

/// What was counted on a day.
extern const storage::Table segment_report_day_table;

}  // namespace footfall::segment_reports
