#include "identities/resolution.h"

#include "foundation/check.h"
#include "identities/standing.h"
#include "identities/unions.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <tuple>
#include <utility>

namespace footfall::identities {
namespace {

using Number = std::uint32_t;

/// The ids that facts name, numbered by their order, so that what follows compares no texts.
struct Numbered {
    std::vector<const Id*> ids;       ///< By number.
    std::vector<Number> named;        ///< Fact by fact: its ids, then its others.
    std::vector<std::size_t> begins;  ///< By fact: where in `named`; at the end, its size.

    std::span<const Number> ids_of(std::size_t fact) const {
        return std::span{named}.subspan(begins[fact], begins[fact + 1] - begins[fact]);
    }
};

Numbered numbered(std::span<const Fact> facts) {
    struct Place {
        const Id* id;
        std::size_t at;
    };

    Numbered all;
    std::vector<Place> places;
    const auto take = [&](const std::vector<Id>& ids) {
        for (const Id& id : ids) {
            places.push_back({.id = &id, .at = places.size()});
        }
    };
    all.begins.push_back(0);
    for (const Fact& fact : facts) {
        take(fact.ids);
        take(fact.others);
        all.begins.push_back(places.size());
    }
    CHECK(places.size() < std::numeric_limits<Number>::max(), "ids have numbers of 32 bits");
    std::ranges::sort(places, [](const Place& one, const Place& other) {
        return *one.id < *other.id;
    });
    all.named.resize(places.size());
    for (const Place& place : places) {
        if (all.ids.empty() || *all.ids.back() != *place.id) {
            all.ids.push_back(place.id);
        }
        all.named[place.at] = static_cast<Number>(all.ids.size() - 1);
    }
    return all;
}

/// What settles the profiles of some facts. For one call of resolve().
class Resolver {
public:
    Resolver(std::span<const Fact> facts, const Guards& guards);

    Resolution resolved();

private:
    static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

    void find_first_links();
    void find_shared();
    void tell_unions();
    std::vector<std::size_t> canonical_order() const;
    std::optional<Contested> take(std::size_t link);
    std::vector<Profile> profiles();
    std::size_t shared_above(Number id) const;

    bool is_link(std::size_t fact) const { return facts_[fact].kind == FactKind::link; }

    bool holds(std::size_t fact) const { return standings_[fact] != Standing::void_of_effect; }

    bool said_before(std::size_t link, std::size_t other) const;

    std::span<const Fact> facts_;
    const Guards& guards_;
    std::vector<Standing> standings_;                 ///< By fact.
    Numbered numbers_;                                ///< Of all facts.
    std::vector<const IdentifierGuards*> guards_of_;  ///< By id: of its network; null where none.
    std::vector<std::size_t> first_links_;            ///< By id: the link that said it first.
    std::vector<bool> shared_;                        ///< By id.
    Unions unions_;
};

Resolver::Resolver(std::span<const Fact> facts, const Guards& guards)
    : facts_{facts},
      guards_{guards},
      standings_{standing_of(facts)},
      numbers_{numbered(facts)},
      guards_of_(numbers_.ids.size()),
      first_links_(numbers_.ids.size(), none),
      shared_(numbers_.ids.size()),
      unions_{numbers_.ids.size(), guards.profile_ids} {
    for (std::size_t id = 0; id < numbers_.ids.size() && !guards.identifiers.empty(); ++id) {
        const auto found = guards.identifiers.find(numbers_.ids[id]->identifier);
        guards_of_[id] = found == guards.identifiers.end() ? nullptr : &found->second;
    }
}

bool Resolver::said_before(std::size_t link, std::size_t other) const {
    const auto key = [&](std::size_t fact) {
        return std::tuple{!holds(fact), facts_[fact].first, facts_[fact].id};
    };
    return key(link) < key(other);
}

void Resolver::find_first_links() {
    for (std::size_t fact = 0; fact < facts_.size(); ++fact) {
        if (!is_link(fact)) {
            continue;
        }
        for (const Number id : numbers_.ids_of(fact)) {
            if (first_links_[id] == none || said_before(fact, first_links_[id])) {
                first_links_[id] = fact;
            }
        }
    }
}

std::size_t Resolver::shared_above(Number id) const {
    const IdentifierGuards* const guards = guards_of_[id];
    return guards != nullptr && guards->shared_above ? *guards->shared_above : guards_.shared_above;
}

void Resolver::find_shared() {
    // With repetitions first: few ids have that many others, and only of these they are compared.
    std::vector<std::size_t> others(numbers_.ids.size());
    const auto each_naming = [&](const auto& visit) {
        for (std::size_t fact = 0; fact < facts_.size(); ++fact) {
            if (is_link(fact) && holds(fact)) {
                visit(numbers_.ids_of(fact));
            }
        }
    };
    each_naming([&](std::span<const Number> ids) {
        for (const Number id : ids) {
            others[id] += ids.size() - 1;
        }
    });
    std::vector<std::pair<Number, Number>> pairs;
    each_naming([&](std::span<const Number> ids) {
        for (const Number id : ids) {
            for (const Number other : ids) {
                if (other != id && others[id] > shared_above(id)) {
                    pairs.emplace_back(id, other);
                }
            }
        }
    });
    std::ranges::sort(pairs);
    const auto repeated = std::ranges::unique(pairs);
    pairs.erase(repeated.begin(), repeated.end());
    std::ranges::fill(others, 0);
    for (const auto& [id, other] : pairs) {
        ++others[id];
    }
    for (Number id = 0; id < numbers_.ids.size(); ++id) {
        const bool of_nobody =
            guards_of_[id] != nullptr && guards_of_[id]->never.contains(numbers_.ids[id]->id_value);
        shared_[id] = of_nobody || others[id] > shared_above(id);
    }
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
        if (is_link(fact) || !holds(fact)) {
            continue;
        }
        const std::span<const Number> ids = numbers_.ids_of(fact);
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
        const bool latest = std::ranges::any_of(numbers_.ids_of(fact), [&](Number id) {
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

std::optional<Contested> Resolver::take(std::size_t link) {
    const std::span<const Number> ids = numbers_.ids_of(link);
    const auto found = std::ranges::find_if(ids, [&](Number id) { return !shared_[id]; });
    if (ids.empty()) {
        return std::nullopt;
    }
    const Number first = found == ids.end() ? ids.front() : *found;
    std::optional<Contested> contested;
    for (const Number other : ids) {
        if (other == first) {
            continue;
        }
        const std::optional<Objection> objection =
            shared_[first] || shared_[other]
                ? Objection::shared
                : unions_.unite(first, other, standings_[link] == Standing::accepted);
        if (objection && !contested) {
            contested = {
                .fact = facts_[link].id,
                .ids = {*numbers_.ids[first], *numbers_.ids[other]},
                .objection = *objection
            };
        }
    }
    return contested;
}

std::vector<Profile> Resolver::profiles() {
    const std::size_t count = numbers_.ids.size();
    constexpr Number nobody = std::numeric_limits<Number>::max();
    std::vector<Number> named_after(count, nobody);  // By profile.
    for (Number id = 0; id < count; ++id) {
        Number& best = named_after[unions_.profile_of(id)];
        if (first_links_[id] != none &&
            (best == nobody || said_before(first_links_[id], first_links_[best]))) {
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
        if (first_links_[id] == none) {
            continue;
        }
        const Fact& said = facts_[first_links_[id]];
        all[places[unions_.profile_of(id)]].members.push_back(
            {.id = *numbers_.ids[id], .since = said.first, .source = said.source}
        );
    }
    return all;
}

Resolution Resolver::resolved() {
    find_first_links();
    find_shared();
    tell_unions();
    Resolution resolution;
    for (const std::size_t link : canonical_order()) {
        if (std::optional<Contested> contested = take(link)) {
            resolution.contested.push_back(*std::move(contested));
        }
    }
    resolution.profiles = profiles();
    for (Number id = 0; id < numbers_.ids.size(); ++id) {
        if (shared_[id] && first_links_[id] != none) {
            resolution.shared.insert(resolution.shared.end(), *numbers_.ids[id]);
        }
    }
    return resolution;
}

}  // namespace

std::string_view name_of(Objection objection) {
    switch (objection) {
        case Objection::per_profile:
            return "per_profile";
        case Objection::profile_ids:
            return "profile_ids";
        case Objection::shared:
            return "shared";
        case Objection::parting:
            return "parting";
    }
    return "";
}

Resolution resolve(std::span<const Fact> facts, const Guards& guards) {
    return Resolver{facts, guards}.resolved();
}

}  // namespace footfall::identities
