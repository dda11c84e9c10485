#pragma once

#include "api/parameters.h"
#include "events/control.h"
#include "http_server/request.h"
#include "identities/fact.h"
#include "identities/resolution.h"
#include "identities/settling.h"
#include "identities_routes/sources.h"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

/// What routes by which operators decide have in common.
namespace footfall::identities::routes {

/// A decision that is only to be given an id of its own.
api::Asked<events::IdentityDecided> begin_decision(
    const Sources& sources, const http_server::Request& request, std::string reason
);

/// Names the fact that a decision is about.
void set_about(events::IdentityDecided& decided, const Fact& about);

/// A reject of this link, begun so, with an id of its own.
api::Asked<events::IdentityDecided> reject_of(
    const events::IdentityDecided& begun, const Fact& link
);

/// A revoke of this decision, the same way. Said of no earlier time than it: the clock of who made
/// it may be ahead, and what is revoked earlier than it was made stands.
api::Asked<events::IdentityDecided> revoke_of(
    const events::IdentityDecided& begun, const Fact& decision
);

/// The fact that a decision will be. What has no ids is no decision of ours.
Fact fact_of(const events::IdentityDecided& decided);

/// The fact of this name; 404 where there is none.
api::Asked<Fact> known_fact(const Sources& sources, std::string_view name, std::string_view field);

/// The profiles of these ids, as they are or would be, once `decided` decisions were made.
/// `decisions`: those that were.
std::string outcome_json(
    const Settling& settling,
    const Resolution& resolution,
    std::span<const Id> ids,
    std::span<const Fact> decisions,
    std::size_t decided
);

}  // namespace footfall::identities::routes
