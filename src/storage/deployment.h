#pragma once

#include "foundation/result.h"
#include "foundation/siphash.h"
#include "storage/store.h"
#include "storage/table.h"

#include <optional>
#include <string>

namespace footfall::storage {

/// Facts of one deployment that are made once, by whoever starts first, and kept for good.
inline const Table deployment_table{
    .name = "deployment",
    .purpose = "Facts of this deployment, such as the secret behind its keyed hashes.",
    .partition = {{"name", ColumnType::text}},
    .clustering = {},
    .values = {{"value", ColumnType::bytes}}
};

/// The secret behind the hashes of people and tokens: drawn from the system's randomness the first
/// time, read ever after. Hashes are only comparable under the same secret, so whoever loses it
/// loses them. Blocks; for start-up.
Result<SipKey> load_secret(Store& store);

/// The secret's bytes as they are stored; absent where none was drawn yet. Blocks.
Result<std::optional<std::string>> stored_secret(Store& store);

}  // namespace footfall::storage
