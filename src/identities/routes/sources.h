#pragma once

#include "api/front_door.h"
#include "api/parameters.h"
#include "erasure/desk.h"
#include "events/control.h"
#include "http_server/router.h"
#include "identities/identities.h"
#include "identities/profile_data.h"
#include "identities_routes/guard_turns.h"
#include "identities_routes/later_turns.h"
#include "intake/collector.h"
#include "runtime/blocking_pool.h"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::identities::routes {

/// What routes of identities are answered with. All of it outlives the router. A plain value.
struct Sources {
    Identities* identities = nullptr;
    const DatumRules* rules = nullptr;
    const GuardTurns* guard_turns = nullptr;
    const LaterTurns* later_turns = nullptr;
    intake::Collector* collector = nullptr;
    runtime::BlockingPool* lookups = nullptr;  ///< For answers that wait for a few reads.
    runtime::BlockingPool* saying = nullptr;   ///< For those that wait until something is taken in.
    runtime::BlockingPool* batches = nullptr;  ///< For those of many lines.
    api::Doorkeeper keeper;
    erasure::Desk* eraser = nullptr;
};

/// Whether the profiles of these ids may not follow yet from all that was said, or from the newest
/// guards.
inline bool is_provisional(const Sources& sources, std::span<const Id> ids) {
    return sources.guard_turns->parts_left() > 0 ||
           sources.identities->settling().noted().has_one(ids);
}

/// What answers a request on a thread that may wait.
using Answer = std::function<
    http_server::Response(const Sources& sources, const http_server::Request& request)>;

/// A handler that has `answer` called on a thread of the lookups, or of the saying ones.
http_server::Handler on_lookups(const Sources& sources, Answer answer);
http_server::Handler on_saying(const Sources& sources, Answer answer);

/// Has a fact said by `say()`, durably, and waits until it is in rows, said of at least this time,
/// and so are the profiles that follow. Whoever has its lane writes both: rows that are written by
/// who may end at any moment, and has no checkpoint to begin again from, could be left half done.
/// Failures: what `say` answers, the store's; `conflict`: it stands, and too much hangs together;
/// `outcome_unknown`: it was said, and nobody has taken it in within ten seconds.
Result<Neighbourhood> say_and_settle(
    const Sources& sources, const Fact& fact, const std::function<Result<void>()>& say
);

/// What follows from what was said. A plain value.
struct Follows {
    /// Absent: much hangs together with it, and it is settled behind the answers.
    std::optional<Neighbourhood> known = {};
};

/// What is known of the ids of a match, once the profiles that follow stand, or at once where they
/// are settled later; absent: neither is so yet. Failures: the store's.
Result<std::optional<Follows>> what_follows(const Sources& sources, std::span<const Id> ids);

/// As say_and_settle(), but for `conflict`.
Result<Follows> say_and_follow(
    const Sources& sources, const Fact& fact, const std::function<Result<void>()>& say
);

/// The same of decisions and the facts that they will be, about profiles of these ids: said in
/// parts, each durable before the next, then waited for together.
Result<Neighbourhood> say_each_and_settle(
    const Sources& sources,
    std::span<const events::IdentityDecided> decisions,
    std::span<const Fact> facts,
    std::span<const Id> ids
);

/// The same without their profiles: until the decisions are in rows.
Result<void> say_each(
    const Sources& sources,
    std::span<const events::IdentityDecided> decisions,
    std::span<const Fact> facts
);

/// What is known of these ids, once the profiles that follow stand.
Result<Neighbourhood> wait_settled(const Sources& sources, std::span<const Id> ids);

/// What is told of a statement that nobody has taken in yet.
inline constexpr std::string_view still_to_come =
    "it is in the log, and nobody has taken it in yet: whoever has its lane is away, or a rule "
    "refused it, as /api/v1/events says; to say it again is safe";

/// Why nothing follows from a match that was taken.
Error refused_by_a_rule();

/// Of these ids, the sid of the profile that has each; ids that are in none are left out.
std::vector<std::string> sids_of(
    const Settling& settling, const Resolution& resolution, std::span<const Id> ids
);

}  // namespace footfall::identities::routes
