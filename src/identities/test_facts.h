#pragma once

#include "identities/fact.h"

#include <chrono>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace footfall::identities {

// Facts for tests, sealed. Times are seconds after the epoch.

inline Instant at_second(std::int64_t second) {
    return Instant{std::chrono::seconds{second}};
}

/// "mail:ann" is the id "ann" of the network "mail".
inline Id id_of(const std::string& text) {
    const std::size_t colon = text.find(':');
    return {
        .identifier = text.substr(0, colon), .id_name = "user", .id_value = text.substr(colon + 1)
    };
}

inline std::vector<Id> ids_named(const std::vector<std::string>& texts) {
    std::vector<Id> ids;
    ids.reserve(texts.size());
    for (const std::string& text : texts) {
        ids.push_back(id_of(text));
    }
    return ids;
}

inline Fact said(Fact fact, std::int64_t second) {
    fact.first = fact.last = fact.recorded = at_second(second);
    seal(fact);
    return fact;
}

inline Fact link(
    std::int64_t second, const std::vector<std::string>& ids, const std::string& source = "shop"
) {
    return said({.ids = ids_named(ids), .source = source}, second);
}

inline Fact datum(
    std::int64_t second,
    const std::string& id,
    const std::string& name,
    const std::string& value,
    const std::string& source = "shop"
) {
    return said(
        {.kind = FactKind::datum,
         .ids = ids_named({id}),
         .source = source,
         .datum = Datum{.name = name, .first = value, .latest = value, .longest = value}},
        second
    );
}

inline Fact parting(
    std::int64_t second, const std::vector<std::string>& ids, const std::vector<std::string>& others
) {
    return said(
        {.kind = FactKind::parting, .ids = ids_named(ids), .others = ids_named(others)}, second
    );
}

inline Fact lift(std::int64_t second, const std::string& id) {
    return said({.kind = FactKind::lift, .ids = ids_named({id})}, second);
}

inline Fact decision(FactKind kind, std::int64_t second, const Fact& about) {
    return said(
        {.kind = kind, .ids = about.ids, .others = about.others, .about = about.id}, second
    );
}

}  // namespace footfall::identities
