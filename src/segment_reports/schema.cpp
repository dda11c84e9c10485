#include "segment_reports/schema.h"

namespace footfall::segment_reports {

using storage::ColumnType;
using storage::Order;
using storage::Table;

const Table segment_report_table{
    .name = "segment_report",
    .purpose = "Which segments are compared each day, and at what time of it.",
    .partition = {{"all", ColumnType::text}},
    .clustering = {{"name", ColumnType::text}},
    .values =
        {{"compared", ColumnType::text},
         {"minute", ColumnType::integer},
         {"created", ColumnType::timestamp}},
    .shared = true
};

const Table segment_report_day_table{
    .name = "segment_report_day",
    .purpose = "What was counted for a report on a day: sizes, and what each two segments share.",
    .partition = {{"name", ColumnType::text}},
    .clustering = {{"day", ColumnType::day, Order::descending}},
    .values =
        {{"compared", ColumnType::text},
         {"numbers", ColumnType::bytes},
         {"trouble", ColumnType::text},
         {"as_of", ColumnType::timestamp},
         {"expires", ColumnType::timestamp}},
    .expires = "expires",
    .shared = true
};

}  // namespace footfall::segment_reports
