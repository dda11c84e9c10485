#pragma once

#include "api/parameters.h"
#include "events/event.h"
#include "foundation/clock.h"
#include "identities/profile_rows.h"
#include "identities/settling.h"

#include <boost/json/object.hpp>

#include <span>
#include <string>
#include <string_view>

/// A match as JSON, and what is answered to it. Pure.
namespace footfall::identities::routes {

/// Of 32 ids, each of three texts of 256 bytes that may all be escaped.
inline constexpr std::size_t match_bytes_max = 64 << 10;

/// Ids that somebody says to be one person.
struct Match {
    events::Event event;  ///< That says it.
    Fact fact;            ///< That will follow.
};

/// {"ids":[..],"time":..,"source":..,"data":{..}}; without a time it is said of `now`. Refused with
/// the field at fault. `what`: how the refusal calls the text. The event has the ids as they are
/// sent, the fact as the guards write them.
api::Asked<Match> read_match(
    const Guards& guards, std::string_view text, std::string_view what, Instant now
);

/// The event, as the collector takes it. `invalid_input`: it cannot be taken.
Result<events::Event> event_of(Match match);

/// What became of a match.
struct MatchOutcome {
    bool created = false;  ///< None of its ids was known.
    /// Of each of its ids, the sid that it had, empty: it was not known; or nothing: none was.
    std::span<const std::string_view> before = {};
    const Index* now = nullptr;                 ///< Has all of its ids, unless it is provisional.
    std::span<const Contested> contested = {};  ///< Of all links.
    bool is_provisional = false;                ///< Profiles may not follow from it yet.
};

/// {"sid":..,"created":..,"merged":[..],"contested":[..],"provisional":false}; the sid is null
/// where it is provisional and none of its ids is in a profile yet.
std::string match_json(const Match& match, const MatchOutcome& outcome);

/// As rows of the index would say it, of all ids that are known.
Index index_of(const Settling& settling, const Neighbourhood& known);

}  // namespace footfall::identities::routes
