#include "webhooks/schema.h"

namespace footfall::webhooks {

using storage::ColumnType;
using storage::Table;

const Table webhook_table{
    .name = "webhook",
    .purpose = "Receivers of changes: of what, where they are, and the secret that signs for them.",
    .partition = {{"all", ColumnType::text}},
    .clustering = {{"name", ColumnType::text}},
    .values =
        {{"subject", ColumnType::text},
         {"filter", ColumnType::text},
         {"url", ColumnType::text},
         {"signed_by", ColumnType::bytes},
         {"created", ColumnType::timestamp}},
    .secret = true,
    .shared = true
};

const Table webhook_progress_table{
    .name = "webhook_progress",
    .purpose = "What each receiver of changes has, and when it is tried again.",
    .partition = {{"all", ColumnType::text}},
    .clustering = {{"name", ColumnType::text}, {"created", ColumnType::timestamp}},
    .values =
        {{"after", ColumnType::integer},
         {"through", ColumnType::integer},
         {"failures", ColumnType::integer},
         {"due", ColumnType::timestamp},
         {"failing_since", ColumnType::timestamp},
         {"answered", ColumnType::timestamp},
         {"dead", ColumnType::integer},
         {"trouble", ColumnType::text}},
    .shared = true
};

}  // namespace footfall::webhooks
