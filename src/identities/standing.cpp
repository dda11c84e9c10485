#include "identities/standing.h"

#include <algorithm>
#include <tuple>

namespace footfall::identities {
namespace {

/// Accepts, rejects and revokes by what they are about, of each the earliest first.
std::vector<const Fact*> decisions_of(std::span<const Fact> facts) {
    std::vector<const Fact*> decisions;
    for (const Fact& fact : facts) {
        const bool decides = fact.kind != FactKind::link && fact.kind != FactKind::parting;
        if (decides && fact.about) {
            decisions.push_back(&fact);
        }
    }
    std::ranges::sort(decisions, {}, [](const Fact* fact) {
        return std::tie(*fact->about, fact->last, fact->id);
    });
    return decisions;
}

auto about(const Fact& fact, const std::vector<const Fact*>& decisions) {
    return std::ranges::equal_range(decisions, fact.id, {}, [](const Fact* decision) {
        return *decision->about;
    });
}

bool revoked(const Fact& fact, const std::vector<const Fact*>& decisions) {
    return std::ranges::any_of(about(fact, decisions), [&](const Fact* decision) {
        return decision->kind == FactKind::revoke && decision->last >= fact.last;
    });
}

Standing of_link(const Fact& link, const std::vector<const Fact*>& decisions) {
    Standing standing = Standing::holds;
    for (const Fact* const decision : about(link, decisions)) {
        if (decision->kind != FactKind::revoke && !revoked(*decision, decisions)) {
            standing =
                decision->kind == FactKind::accept ? Standing::accepted : Standing::void_of_effect;
        }
    }
    return standing;
}

}  // namespace

std::vector<Standing> standing_of(std::span<const Fact> facts) {
    const std::vector<const Fact*> decisions = decisions_of(facts);
    std::vector<Standing> standings(facts.size(), Standing::void_of_effect);
    for (std::size_t at = 0; at < facts.size(); ++at) {
        const Fact& fact = facts[at];
        if (fact.kind == FactKind::link) {
            standings[at] = of_link(fact, decisions);
        } else if ((fact.kind == FactKind::parting || fact.kind == FactKind::lift) &&
                   !revoked(fact, decisions)) {
            standings[at] = Standing::holds;
        }
    }
    return standings;
}

std::vector<bool> taken_back(std::span<const Fact> facts) {
    const std::vector<const Fact*> decisions = decisions_of(facts);
    std::vector<bool> taken(facts.size());
    for (std::size_t at = 0; at < facts.size(); ++at) {
        const Fact& fact = facts[at];
        taken[at] = fact.kind == FactKind::link
                        ? of_link(fact, decisions) == Standing::void_of_effect
                        : fact.kind != FactKind::revoke && revoked(fact, decisions);
    }
    return taken;
}

}  // namespace footfall::identities
