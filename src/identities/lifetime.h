#pragma once

#include "foundation/clock.h"
#include "identities/fact.h"
#include "identities/resolution.h"
#include "identities/standing.h"

#include <optional>
#include <span>
#include <vector>

/// How long what is said of ids holds, where guards give their network a `ttl`. Pure.
namespace footfall::identities {

/// Whether guards give any network a ttl.
bool any_ends(const Guards& guards);

/// When a statement that names these ids ends unless it is said again: the least ttl of them after
/// it was said last. Absent: none of them has one.
std::optional<Instant> end_of(const Guards& guards, std::span<const Id> ids, Instant last);

/// The same of a link or a datum; what an operator decided never ends.
std::optional<Instant> end_of(const Guards& guards, const Fact& fact);

/// Whether that is so at `now`: from its end on.
bool has_ended(const Guards& guards, const Fact& fact, Instant now);

/// standing_of(), where links that have ended are void, whatever was decided about them.
std::vector<Standing> standing_at(std::span<const Fact> facts, const Guards& guards, Instant now);

}  // namespace footfall::identities
