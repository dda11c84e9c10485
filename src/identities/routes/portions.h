#pragma once

#include "api/parameters.h"
#include "events/control.h"
#include "http_server/request.h"
#include "identities/found_facts.h"
#include "identities_routes/sources.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

/// Decisions about facts of all profiles, so many a request as are bounded work.
namespace footfall::identities::routes {

/// A portion that is asked for. A plain value.
struct Portion {
    bool is_trial = false;
    std::optional<PlaceInIndex> after = {};
    std::size_t found_max = 0;
    events::IdentityDecided begun = {};  ///< Decisions of it, of which only the author and the time
                                         ///< are known.
};

/// By ?dry_run=, ?cursor= and ?limit=; there may be no other parameter.
api::Asked<Portion> read_portion(const Sources& sources, const http_server::Request& request);

/// What came of a portion. A plain value.
struct DecidedPortion {
    std::size_t found = 0;
    std::vector<Fact> decided = {
    };  ///< Of what was found that about which was decided, or would be.
    std::size_t profiles = 0;   ///< In which their ids were.
    std::size_t looked_at = 0;  ///< Ids.
    std::string next = {};      ///< Where the next one begins, as JSON.
};

/// Finds the facts that are `wanted`, says what `decide` makes of each that nobody took back yet,
/// unless it is a trial, and waits until the profiles stand. The same portion sent again decides
/// nothing more.
api::Asked<DecidedPortion> decide_portion(
    const Sources& sources,
    const Portion& portion,
    const std::function<bool(const Fact& fact)>& wanted,
    const std::function<api::Asked<events::IdentityDecided>(const Fact& fact)>& decide
);

}  // namespace footfall::identities::routes
