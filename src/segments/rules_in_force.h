#pragma once

#include "foundation/clock.h"
#include "identities/profile_data.h"
#include "identities/resolution.h"
#include "segment_events/did_rows.h"
#include "segments/rule_book.h"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

/// Who is in segments by their rules. Pure.
namespace footfall::segments {

/// The values that stand for a profile, as JSON, by name.
using PersonData = std::map<std::string, std::string, std::less<>>;

PersonData data_of(
    std::span<const identities::Member> members, const identities::DatumRules& rules
);

/// What is known of somebody. Borrowed.
struct RuledPerson {
    const segment_events::HoldsUntil* until = nullptr;
    const PersonData* data = nullptr;
    /// The segments that the person was in so far: what the rules that are not in force yet say.
    std::span<const std::int64_t> before;
    Instant now{};
};

/// Adds the segments that a person is in by rules to those by members, which are sorted and stay
/// so. `in_force`: rules that are, by segment and since when; null: all are. Costs a look at each
/// term of each rule.
void add_by_rules(
    const Rules& rules,
    const Filled* in_force,
    const RuledPerson& person,
    std::vector<std::int64_t>& segments
);

/// When something that rules ask for ends next; absent: nothing does.
std::optional<Instant> next_end(const segment_events::HoldsUntil& until, Instant now);

}  // namespace footfall::segments
