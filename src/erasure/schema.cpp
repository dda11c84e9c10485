#include "erasure/schema.h"

namespace footfall::erasure {

using storage::ColumnType;
using storage::Order;
using storage::Table;

const Table erasure_table{
    .name = "erasure",
    .purpose = "Ids that were erased, by keyed hash: what was recorded of them by then is dropped.",
    .partition = {{"bucket", ColumnType::integer}},
    .clustering = {{"id_hash", ColumnType::bytes}},
    .values = {{"at", ColumnType::timestamp}, {"count", ColumnType::integer}},
    .shared = true
};

const Table erasure_receipt_table{
    .name = "erasure_receipt",
    .purpose = "What was asked to be erased, without saying of whom, and which parts are done.",
    .partition = {{"name", ColumnType::text}},
    .clustering =
        {{"at", ColumnType::timestamp, Order::descending}, {"receipt", ColumnType::bytes}},
    .values =
        {{"kind", ColumnType::text},
         {"ids", ColumnType::integer},
         {"tables_done", ColumnType::timestamp},
         {"log_done", ColumnType::timestamp},
         {"kafka_done", ColumnType::timestamp},
         {"compaction_done", ColumnType::timestamp}},
    .shared = true
};

}  // namespace footfall::erasure
