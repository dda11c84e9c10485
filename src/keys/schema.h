#pragma once

#include "storage/table.h"

namespace footfall::keys {

/// Every key that was made and not revoked. One partition, so that all are read at once; `door` is
/// there because a table needs one. An expired key stays: it keeps the door closed, which must not
/// open by itself because time passes, so `expires` is none of the store's business.
inline const storage::Table api_key_table{
    .name = "api_key",
    .purpose =
        "API keys by name: the SHA-256 of the key, its scopes or its party, and when it ends (0: "
        "never).",
    .partition = {{"door", storage::ColumnType::text}},
    .clustering = {{"name", storage::ColumnType::text}},
    .values =
        {{"hash", storage::ColumnType::bytes},
         {"scopes", storage::ColumnType::text},
         {"created", storage::ColumnType::timestamp},
         {"expires", storage::ColumnType::timestamp},
         {"party", storage::ColumnType::text}},
    .shared = true
};

/// The only value of `door`.
inline constexpr const char* trusted_door = "trusted";

}  // namespace footfall::keys
