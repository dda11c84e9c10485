#pragma once

#include "api/parameters.h"
#include "foundation/clock.h"
#include "identities/fact.h"

#include <boost/json/object.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace footfall::identities::routes {

/// Links that a source said of a time, which are taken back together.
struct LinksOfSource {
    std::string source;
    std::optional<Instant> from = {};   ///< Said first of no earlier time.
    std::optional<Instant> until = {};  ///< Said first of an earlier time.

    bool has(const Fact& fact) const {
        return fact.kind == FactKind::link && fact.source == source &&
               (!from || *from <= fact.first) && (!until || fact.first < *until);
    }
};

/// {"source":"crm","from":"2026-11-01T00:00:00Z","until":..} in the field "links"; absent: there is
/// no such field.
api::Asked<std::optional<LinksOfSource>> read_links_of_source(const boost::json::object& body);

/// The same of the fields of a body itself: "source", which must be there, "from" and "until".
api::Asked<LinksOfSource> read_source_and_time(const boost::json::object& body);

/// An instant of a field, absent where there is none. `place`: what a refusal calls it; `at_fault`:
/// which field of the body it names.
api::Asked<std::optional<Instant>> read_instant(
    const boost::json::object& object,
    std::string_view field,
    std::string_view place,
    std::string_view at_fault
);

}  // namespace footfall::identities::routes
