#pragma once

#include "foundation/clock.h"
#include "foundation/result.h"
#include "segment_rules/rule.h"
#include "storage/batch.h"
#include "storage/store.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// What is stored of rules of segments. Reads block.
namespace footfall::segments {

/// A rule as it was written.
struct RuleRow {
    std::string name;          ///< Of the segment,
    std::int64_t segment = 0;  ///< and of this life of it.
    std::string text;          ///< As segment_rules::json_of() writes it.
    std::string author;
    Instant since{};  ///< Rises: of a segment no two rules have the same.

    friend bool operator==(const RuleRow&, const RuleRow&) = default;
};

/// By name; those of segments that were dropped may be among them.
Result<std::vector<RuleRow>> read_rules(storage::Store& store);

/// Absent: the segment has none.
Result<std::optional<RuleRow>> read_rule_of(storage::Store& store, std::string_view name);

void add_rule(const RuleRow& rule, storage::Batch& batch);
void erase_rule(std::string_view name, storage::Batch& batch);

/// The rule of a text; `corrupt`: it is none.
Result<segment_rules::Rule> rule_in(const RuleRow& row);

/// By segment the `since` of the rule that is in force.
using Filled = std::map<std::int64_t, Instant>;

Result<Filled> read_filled(storage::Store& store);
void add_filled(std::int64_t segment, Instant since, storage::Batch& batch);
void erase_filled(std::int64_t segment, storage::Batch& batch);

}  // namespace footfall::segments
