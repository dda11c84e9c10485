#pragma once

#include "foundation/clock.h"
#include "foundation/result.h"
#include "guard/rules.h"
#include "storage/store.h"
#include "storage/table.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace footfall::guard {

/// Every rule set that was in force, so that a verdict's version can be looked up.
inline const storage::Table rule_set_table{
    .name = "rule_set",
    .purpose = "Rule files that were in force, by version; verdicts name theirs.",
    .partition = {{"scope", storage::ColumnType::text}},
    .clustering = {{"version", storage::ColumnType::integer, storage::Order::descending}},
    .values =
        {{"recorded", storage::ColumnType::timestamp},
         {"text", storage::ColumnType::text},
         {"digest", storage::ColumnType::text}},
    .shared = true
};

/// A rule set as it was registered.
struct RegisteredRules {
    std::uint32_t version = 0;
    Instant recorded{};
    std::string text;    ///< The rule file.
    std::string digest;  ///< Of it and its lists: RuleSet::digest().

    friend bool operator==(const RegisteredRules&, const RegisteredRules&) = default;
};

/// The version of these rules, for RuleSet::set_version(): the newest that is stored if it has the
/// same digest, else the next one, which is stored. Waits; for start-up. Only one process at a time
/// may register.
Result<std::uint32_t> register_rules(
    storage::Store& store, const RuleSet& rules, const Clock& clock
);

/// The newest first, at most so many. Waits.
Result<std::vector<RegisteredRules>> read_rule_sets(storage::Store& store, std::size_t most);

}  // namespace footfall::guard
