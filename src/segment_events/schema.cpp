#include "segment_events/schema.h"

namespace footfall::segment_events {

using storage::ColumnType;
using storage::Table;

const Table segment_did_table{
    .name = "segment_did",
    .purpose =
        "The latest events of an id that a term of a segment's rule counts, as many as it asks "
        "for.",
    .partition =
        {{"identifier", ColumnType::text},
         {"id_name", ColumnType::text},
         {"id_value", ColumnType::text}},
    .clustering = {{"term", ColumnType::integer}, {"writer", ColumnType::bytes}},
    .values = {{"events", ColumnType::bytes}, {"expires", ColumnType::timestamp}},
    .expires = "expires",
    .bulk = true,
    .personal = true
};

}  // namespace footfall::segment_events
