#pragma once

#include "storage/table.h"

namespace footfall::tokens {

/// One row a token. `span` leads (counter_config.h), `level` and `bucket` spread hot objects on the
/// cluster (levels.h; 0 embedded).
inline const storage::Table token_table{
    .name = "token",
    .purpose = "Tokens put on an object of a counter; a row counts until it expires.",
    .partition =
        {{"counter", storage::ColumnType::text},
         {"object", storage::ColumnType::text},
         {"level", storage::ColumnType::integer},
         {"bucket", storage::ColumnType::integer},
         {"span", storage::ColumnType::integer}},
    .clustering = {{"token", storage::ColumnType::bytes}},
    .values = {{"expires", storage::ColumnType::timestamp}},
    .expires = "expires",
    .bulk = true,
    .shared = true,
    .may_be_old = true
};

/// Which spans of an object exist, for counters without a ttl whose PUTs gave one: the clock alone
/// cannot tell.
inline const storage::Table token_span_table{
    .name = "token_span",
    .purpose = "Days on which tokens of an object expire, where the counter has no ttl of its own.",
    .partition = {{"counter", storage::ColumnType::text}, {"object", storage::ColumnType::text}},
    .clustering = {{"span", storage::ColumnType::integer}},
    .values = {{"expires", storage::ColumnType::timestamp}},
    .expires = "expires",
    .bulk = true,
    .shared = true,
    .may_be_old = true
};

/// Every object that has tokens, by the size class of its count (size_class.h): a directory, and
/// the way to the largest without looking at all. An object's live count is never above the bound
/// of the highest class it stands in; on a cluster it stays in those it came through.
inline const storage::Table token_object_table{
    .name = "token_object",
    .purpose =
        "Objects of a counter by size class: 0 for 1 to 3 tokens, 1 for 4 to 15, and so on by "
        "powers of four; 12 also for those above their counter's limit.",
    .partition =
        {{"counter", storage::ColumnType::text},
         {"size_class", storage::ColumnType::integer},
         {"lane", storage::ColumnType::integer}},
    .clustering = {{"object", storage::ColumnType::text}},
    .values = {{"expires", storage::ColumnType::timestamp}},
    .expires = "expires",
    .bulk = true,
    .shared = true,
    .may_be_old = true
};

/// The rules a counter was made with: its ttl decides where rows lie, so it cannot be changed
/// behind their back.
inline const storage::Table counter_table{
    .name = "counter",
    .purpose = "Counters and the ttl (seconds, 0 = none) they were made with.",
    .partition = {{"name", storage::ColumnType::text}},
    .clustering = {},
    .values = {{"ttl_seconds", storage::ColumnType::integer}},
    .shared = true
};

}  // namespace footfall::tokens
