#pragma once

#include "api/parameters.h"
#include "foundation/clock.h"
#include "identities/fact.h"

#include <boost/json/object.hpp>

#include <optional>
#include <string>

namespace footfall::identities::routes {

/// Decisions that are revoked together: of an author, with a reason, or of an author with a reason.
struct DecisionsOfAuthor {
    std::optional<std::string> author = {};
    std::optional<std::string> reason = {};  ///< With this one, whole.
    std::optional<Instant> from = {};        ///< Recorded no earlier.
    std::optional<Instant> until = {};       ///< Recorded earlier.

    bool has(const Fact& fact) const;
};

/// {"author":"ann","reason":"a broken form","from":..,"until":..} in the field "decisions", of
/// which the author or the reason must be there.
api::Asked<DecisionsOfAuthor> read_decisions_of_author(const boost::json::object& body);

}  // namespace footfall::identities::routes
