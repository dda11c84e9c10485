#pragma once

#include "ads/income_report.h"
#include "ads/rate_changes.h"

#include <string>

// Rows of an income as JSON: in replies, and in sealed months, where they stand as they were told.
// Pure.

namespace footfall::ads {

/// "clicks":1,"sales":0,"refunds":0
std::string counts_json(const Amounts& amounts);

/// A comma, unless a list was just begun.
void begin_row(std::string& json);

void append_day_row(const ShownDay& day, std::string& json);

/// `rates`: who recorded the change that it follows from.
void append_adjustment_row(
    const RateHistory& rates, const ShownAdjustment& adjustment, std::string& json
);

}  // namespace footfall::ads
