#include "identities/resolution.h"

#include "identities/lifetime.h"
#include "identities/numbered.h"
#include "identities/standing.h"
#include "identities/unions.h"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <tuple>
#include <utility>

namespace footfall::identities {
namespace {

using Number = std::uint32_t;

/// In the order of Objection.
constexpr std::array<std::string_view, 4> objection_names{
    "per_profile", "profile_ids", "shared", "parting"
};

/// What settles the profiles of some facts. For one call of resolve().
class Resolver {
public:
    Resolver(std::span<const Fact> facts, const Guards& guards, const Surroundings& surroundings);

    Resolution resolved();
    std::vector<TakenLink> taken_links();

private:
    static constexpr Number nobody = std::numeric_limits<Number>::max();
    static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

    void find_first_links();
    void find_surroundings(const Surroundings& surroundings);
    void find_shared();
    std::vector<bool> lifted() const;
    bool has_more_others(Number id, std::size_t most, std::vector<Number>& met_by) const;
    void tell_unions();
    std::vector<std::size_t> canonical_order() const;
    template <class OfPair>
    void take(std::size_t link, const OfPair& of_pair);
    Contested contested_by(std::size_t link, Number first, Number other, Objection objection) const;
    std::vector<Profile> profiles();
    std::vector<SaidDatum> data_of(Number id) const;

    bool is_link(std::size_t fact) const { return facts_[fact].kind == FactKind::link; }

    bool holds(std::size_t fact) const { return standings_[fact] != Standing::void_of_effect; }

    /// Whether the answer tells of it: it is not of the surroundings, and a link names it.
    bool is_told(Number id) const { return !is_around_[id] && first_links_[id] != none; }

    bool said_before(std::size_t link, std::size_t other) const;

    std::span<const Fact> facts_;
    const Guards& guards_;
    const Instant now_;
    std::vector<Standing> standings_;                 ///< By fact.
    Numbered numbers_;                                ///< Of all facts.
    std::vector<const IdentifierGuards*> guards_of_;  ///< By id: of its network; null where none.
    std::vector<std::size_t> first_links_;            ///< By id: the link that said it first.
    std::vector<bool> shared_;                        ///< By id.
    std::vector<bool> is_outside_;                    ///< By id.
    std::vector<bool> is_around_;                     ///< By id: outside, or known to be shared.
    Unions unions_;
};

Resolver::Resolver(
    std::span<const Fact> facts, const Guards& guards, const Surroundings& surroundings
)
    : facts_{facts},
      guards_{guards},
      now_{surroundings.now},
      standings_{standing_at(facts, guards, surroundings.now)},
      numbers_{numbered(facts)},
      guards_of_(numbers_.ids.size()),
      first_links_(numbers_.ids.size(), none),
      shared_(numbers_.ids.size()),
      is_outside_(numbers_.ids.size()),
      is_around_(numbers_.ids.size()),
      unions_{numbers_.ids.size(), guards.profile_ids} {
    for (std::size_t id = 0; id < numbers_.ids.size() && !guards.identifiers.empty(); ++id) {
        const auto found = guards.identifiers.find(numbers_.ids[id]->identifier);
        guards_of_[id] = found == guards.identifiers.end() ? nullptr : &found->second;
    }
    find_surroundings(surroundings);
}

void Resolver::find_surroundings(const Surroundings& surroundings) {
    const auto mark = [&](const std::set<Id>& ids, std::vector<bool>& marks) {
        for (const Id& each : ids) {
            const auto at =
                std::ranges::lower_bound(numbers_.ids, each, {}, [](const Id* id) { return *id; });
            if (at != numbers_.ids.end() && **at == each) {
                marks[static_cast<std::size_t>(at - numbers_.ids.begin())] = true;
            }
        }
    };
    mark(surroundings.shared, shared_);
    mark(surroundings.shared, is_around_);
    mark(surroundings.outside, is_outside_);
    mark(surroundings.outside, is_around_);
}

bool Resolver::said_before(std::size_t link, std::size_t other) const {
    const auto key = [&](std::size_t fact) {
        return std::tuple{!holds(fact), facts_[fact].first, facts_[fact].id};
    };
    return key(link) < key(other);
}

void Resolver::find_first_links() {
    for (Number id = 0; id < numbers_.ids.size(); ++id) {
        for (const Number fact : numbers_.naming[id]) {
            if (is_link(fact) &&
                (first_links_[id] == none || said_before(fact, first_links_[id]))) {
                first_links_[id] = fact;
            }
        }
    }
}

std::vector<bool> Resolver::lifted() const {
    std::vector<bool> lifted(numbers_.ids.size());
    for (std::size_t fact = 0; fact < facts_.size(); ++fact) {
        if (facts_[fact].kind != FactKind::lift || !holds(fact)) {
            continue;
        }
        for (const Number id : numbers_.of_facts[fact]) {
            lifted[id] = true;
        }
    }
    return lifted;
}

/// Of ids outside nobody knows here whether they were lifted. What they are taken for is no matter
/// to their own pairs, which are left out, and unions that are left out are found
/// (neighbourhood.h).
void Resolver::find_shared() {
    std::vector<Number> met_by(numbers_.ids.size(), nobody);
    const std::vector<bool> is_lifted = lifted();
    for (Number id = 0; id < numbers_.ids.size(); ++id) {
        const Id& named = *numbers_.ids[id];
        const std::size_t most = most_others(guards_, named, is_lifted[id] || is_outside_[id]);
        shared_[id] = shared_[id] || is_never(guards_, named) || has_more_others(id, most, met_by);
    }
}

bool Resolver::has_more_others(Number id, std::size_t most, std::vector<Number>& met_by) const {
    std::size_t others = 0;
    for (const Number fact : numbers_.naming[id]) {
        if (!is_link(fact)) {
            continue;
        }
        for (const Number other : numbers_.of_facts[fact]) {
            if (other != id && std::exchange(met_by[other], id) != id && ++others > most) {
                return true;
            }
        }
    }
    return false;
}

void Resolver::tell_unions() {
    std::uint32_t network = 0;
    for (Number id = 0; id < numbers_.ids.size(); ++id) {
        // By order of ids, those of a network stand together.
        network += id > 0 && guards_of_[id] != guards_of_[id - 1] ? 1 : 0;
        const IdentifierGuards* const guards = guards_of_[id];
        if (guards != nullptr && guards->per_profile) {
            unions_.bound(id, network, *guards->per_profile);
        }
    }
    std::uint32_t parting = 0;
    for (std::size_t fact = 0; fact < facts_.size(); ++fact) {
        if (facts_[fact].kind != FactKind::parting || !holds(fact)) {
            continue;
        }
        const std::span<const Number> ids = numbers_.of_facts[fact];
        for (std::size_t at = 0; at < ids.size(); ++at) {
            unions_.place(ids[at], parting, at < facts_[fact].ids.size() ? 0 : 1);
        }
        ++parting;
    }
}

std::vector<std::size_t> Resolver::canonical_order() const {
    using Order = std::tuple<bool, Instant::duration, FactId, std::size_t>;
    std::vector<Order> links;
    for (std::size_t fact = 0; fact < facts_.size(); ++fact) {
        if (!is_link(fact) || !holds(fact)) {
            continue;
        }
        const bool latest = std::ranges::any_of(numbers_.of_facts[fact], [&](Number id) {
            return guards_of_[id] != nullptr && guards_of_[id]->keeps == Keeps::latest;
        });
        const Instant::duration time =
            latest ? -facts_[fact].last.time_since_epoch() : facts_[fact].first.time_since_epoch();
        links.emplace_back(latest, time, facts_[fact].id, fact);
    }
    std::ranges::sort(links);
    std::vector<std::size_t> order;
    order.reserve(links.size());
    for (const Order& link : links) {
        order.push_back(std::get<std::size_t>(link));
    }
    return order;
}

/// Calls `of_pair(first, other, objection)` with each pair of the link.
template <class OfPair>
void Resolver::take(std::size_t link, const OfPair& of_pair) {
    const std::span<const Number> ids = numbers_.of_facts[link];
    const auto found = std::ranges::find_if(ids, [&](Number id) { return !shared_[id]; });
    if (ids.empty()) {
        return;
    }
    const Number first = found == ids.end() ? ids.front() : *found;
    for (const Number other : ids) {
        if (other == first || is_outside_[first] || is_outside_[other]) {
            continue;
        }
        const std::optional<Objection> objection =
            shared_[first] || shared_[other]
                ? Objection::shared
                : unions_.unite(first, other, standings_[link] == Standing::accepted);
        of_pair(first, other, objection);
    }
}

Contested Resolver::contested_by(std::size_t link, Number first, Number other, Objection objection)
    const {
    return {
        .fact = facts_[link].id,
        .ids = {*numbers_.ids[first], *numbers_.ids[other]},
        .objection = objection
    };
}

std::vector<Profile> Resolver::profiles() {
    const std::size_t count = numbers_.ids.size();
    std::vector<Number> named_after(count, nobody);  // By profile.
    for (Number id = 0; id < count; ++id) {
        Number& best = named_after[unions_.profile_of(id)];
        if (is_told(id) && (best == nobody || said_before(first_links_[id], first_links_[best]))) {
            best = id;
        }
    }
    std::vector<Profile> all;
    std::vector<std::size_t> places(count);  // By profile.
    for (Number id = 0; id < count; ++id) {
        const Number profile = unions_.profile_of(id);
        if (named_after[profile] == id) {
            places[profile] = all.size();
            all.push_back({.named_after = *numbers_.ids[id], .members = {}});
        }
    }
    for (Number id = 0; id < count; ++id) {
        if (!is_told(id)) {
            continue;
        }
        Member member{.id = *numbers_.ids[id]};
        if (!shared_[id]) {
            const Fact& said = facts_[first_links_[id]];
            member.since = said.first;
            member.source = said.source;
            member.data = data_of(id);
        }
        all[places[unions_.profile_of(id)]].members.push_back(std::move(member));
    }
    return all;
}

std::vector<SaidDatum> Resolver::data_of(Number id) const {
    std::vector<SaidDatum> data;
    for (const Number fact : numbers_.naming[id]) {
        const Fact& said = facts_[fact];
        if (said.kind == FactKind::datum && said.datum && !has_ended(guards_, said, now_)) {
            data.push_back(
                {.datum = *said.datum, .source = said.source, .first = said.first, .last = said.last
                }
            );
        }
    }
    std::ranges::sort(data, {}, [](const SaidDatum& each) {
        return std::tie(each.datum.name, each.source);
    });
    return data;
}

Resolution Resolver::resolved() {
    find_first_links();
    find_shared();
    tell_unions();
    Resolution resolution;
    for (const std::size_t link : canonical_order()) {
        bool contested = false;
        take(link, [&](Number first, Number other, std::optional<Objection> objection) {
            if (objection && !std::exchange(contested, true)) {
                resolution.contested.push_back(contested_by(link, first, other, *objection));
            }
        });
    }
    resolution.profiles = profiles();
    for (Number id = 0; id < numbers_.ids.size(); ++id) {
        if (shared_[id] && is_told(id)) {
            resolution.shared.insert(resolution.shared.end(), *numbers_.ids[id]);
        }
    }
    return resolution;
}

std::vector<TakenLink> Resolver::taken_links() {
    find_shared();
    tell_unions();
    std::vector<TakenLink> links;
    for (const std::size_t link : canonical_order()) {
        TakenLink taken{.link = facts_[link].id, .tied = {}, .objected = {}};
        take(link, [&](Number first, Number other, std::optional<Objection> objection) {
            if (objection) {
                taken.objected.push_back(contested_by(link, first, other, *objection));
                return;
            }
            if (taken.tied.empty()) {
                taken.tied.push_back(*numbers_.ids[first]);
            }
            taken.tied.push_back(*numbers_.ids[other]);
        });
        links.push_back(std::move(taken));
    }
    return links;
}

}  // namespace

std::size_t most_others(const Guards& guards, const Id& id, bool is_lifted) {
    const auto found = guards.identifiers.find(id.identifier);
    const std::size_t most = found == guards.identifiers.end()
                                 ? guards.shared_above
                                 : found->second.shared_above.value_or(guards.shared_above);
    return is_lifted ? std::max(most, guards.lifted_above) : most;
}

bool is_never(const Guards& guards, const Id& id) {
    const auto found = guards.identifiers.find(id.identifier);
    return found != guards.identifiers.end() && found->second.never.contains(id.id_value);
}

std::string_view name_of(Objection objection) {
    return objection_names.at(static_cast<std::size_t>(objection));
}

std::optional<Objection> objection_named(std::string_view name) {
    const auto* const found = std::ranges::find(objection_names, name);
    return found == objection_names.end()
               ? std::nullopt
               : std::optional{static_cast<Objection>(found - objection_names.begin())};
}

Resolution resolve(
    std::span<const Fact> facts, const Guards& guards, const Surroundings& surroundings
) {
    return Resolver{facts, guards, surroundings}.resolved();
}

std::vector<TakenLink> take_links(
    std::span<const Fact> facts, const Guards& guards, const Surroundings& surroundings
) {
    return Resolver{facts, guards, surroundings}.taken_links();
}

}  // namespace footfall::identities
