#pragma once

#include "ads/clicks_report.h"
#include "ads/reports.h"
#include "api/table_answer.h"

#include <string>
#include <string_view>

// Income and clicks as JSON, and how that reads as a table. Pure.

namespace footfall::ads::routes {

std::string income_json(
    const Ledger& ledger, const IncomeQuestion& question, const IncomeAnswer& answer
);

/// The rows of the grouping, then the adjustments.
api::TableForm income_table(const IncomeQuestion& question);

/// `with_amounts`: for who may see money.
std::string clicks_json(
    std::string_view kind, std::string_view name, const ClicksAnswer& answer, bool with_amounts
);

/// The days.
api::TableForm clicks_table();

}  // namespace footfall::ads::routes
