#include "identities/lifetime.h"

#include <algorithm>
#include <cstddef>

namespace footfall::identities {

bool any_ends(const Guards& guards) {
    return std::ranges::any_of(guards.identifiers, [](const auto& network) {
        return network.second.ttl.has_value();
    });
}

std::optional<Instant> end_of(const Guards& guards, std::span<const Id> ids, Instant last) {
    std::optional<Instant> end;
    for (const Id& each : guards.identifiers.empty() ? std::span<const Id>{} : ids) {
        const auto network = guards.identifiers.find(each.identifier);
        const auto ttl = network == guards.identifiers.end() ? std::nullopt : network->second.ttl;
        if (ttl) {
            end = std::min(end.value_or(Instant::max()), last + *ttl);
        }
    }
    return end;
}

std::optional<Instant> end_of(const Guards& guards, const Fact& fact) {
    const bool can_end = fact.kind == FactKind::link || fact.kind == FactKind::datum;
    return can_end ? end_of(guards, fact.ids, fact.last) : std::nullopt;
}

bool has_ended(const Guards& guards, const Fact& fact, Instant now) {
    const std::optional<Instant> end = end_of(guards, fact);
    return end && *end <= now;
}

std::vector<Standing> standing_at(std::span<const Fact> facts, const Guards& guards, Instant now) {
    std::vector<Standing> standings = standing_of(facts);
    if (!any_ends(guards)) {
        return standings;
    }
    for (std::size_t at = 0; at < facts.size(); ++at) {
        if (has_ended(guards, facts[at], now)) {
            standings[at] = Standing::void_of_effect;
        }
    }
    return standings;
}

}  // namespace footfall::identities
