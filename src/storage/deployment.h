#pragma once

#include "foundation/result.h"
#include "foundation/siphash.h"
#include "storage/store.h"
#include "storage/table.h"

#include <optional>
#include <string>
#include <string_view>

namespace footfall::storage {

/// Facts of one deployment that are made once, by whoever starts first, and kept for good.
inline const Table deployment_table{
    .name = "deployment",
    .purpose = "Facts of this deployment, such as the secret behind its keyed hashes.",
    .partition = {{"name", ColumnType::text}},
    .clustering = {},
    .values = {{"value", ColumnType::bytes}},
    .shared = true
};

/// The secret behind the hashes of people and tokens: drawn from the system's randomness the first
/// time, read ever after. Hashes are only comparable under the same secret, so whoever loses it
/// loses them. Processes that draw it at the same time have the same one. Blocks; for start-up.
Result<SipKey> load_secret(Store& store);

/// The secret's bytes as they are stored; absent where none was drawn yet. Blocks.
Result<std::optional<std::string>> stored_secret(Store& store);

/// Tells one deployment from another, 16 hexadecimal digits that give nothing of its secret away.
/// It is made of the secret, for that is what belongs together: objects are in the lanes, and
/// people behind the hashes, that the secret says.
std::string deployment_id(SipKey secret);

/// A fact by its name; absent: it was never settled. Blocks.
Result<std::optional<std::string>> stored_fact(Store& store, std::string_view name);

/// Settles a fact unless it is settled; answers what stands then, for all processes that ask at the
/// same time. Blocks.
Result<std::string> settle_fact(Store& store, std::string_view name, std::string_view value);

/// Replaces a fact: for people, who see to it that nobody goes by what it was. Blocks.
Result<void> replace_fact(Store& store, std::string_view name, std::string_view value);

}  // namespace footfall::storage
