#pragma once

#include "identities/resolution.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace footfall::identities {

/// The rules of resolve() one by one, profiles as sets that are searched. For tests.
class NaiveResolution {
public:
    NaiveResolution(
        const std::vector<Fact>& facts, const Guards& guards, Instant now = Instant::min()
    )
        : facts_{facts}, guards_{guards}, now_{now} {
        std::set<std::tuple<bool, Instant::duration, FactId, const Fact*>> ordered;
        for (const Fact& fact : facts) {
            if (fact.kind == FactKind::link) {
                all_.insert(fact.ids.begin(), fact.ids.end());
                const bool late = std::ranges::any_of(fact.ids, [&](const Id& id) {
                    return of(id).keeps == Keeps::latest;
                });
                const Instant time = late ? fact.last : fact.first;
                ordered.emplace(late, time.time_since_epoch() * (late ? -1 : 1), fact.id, &fact);
            }
        }
        for (const Id& id : all_) {
            profiles_.insert({id});
            if (shared(id)) {
                found_.shared.insert(id);
            }
        }
        for (const auto& [late, time, id, link] : ordered) {
            if (decision(*link) != FactKind::reject && !is_over(*link)) {
                take(*link);
            }
        }
        for (const std::set<Id>& ids : profiles_) {
            Profile profile{.named_after = {}, .members = {}};
            std::set<std::pair<Said, Id>> said;
            for (const Id& id : ids) {
                const auto [refused, first, fact, source] = said_first(id);
                const bool is_shared = found_.shared.contains(id);
                profile.members.push_back(
                    {.id = id,
                     .since = is_shared ? Instant{} : first,
                     .source = is_shared ? "" : source,
                     .data = is_shared ? std::vector<SaidDatum>{} : data_of(id)}
                );
                said.emplace(said_first(id), id);
            }
            profile.named_after = said.begin()->second;
            found_.profiles.push_back(profile);
        }
        std::ranges::sort(found_.profiles, {}, &Profile::named_after);
    }

    const Resolution& found() const { return found_; }

    /// What came of each link that holds, in canonical order.
    const std::vector<TakenLink>& links() const { return links_; }

private:
    using Said = std::tuple<bool, Instant, FactId, std::string>;

    const IdentifierGuards& of(const Id& id) const {
        const auto network = guards_.identifiers.find(id.identifier);
        return network == guards_.identifiers.end() ? no_guards_ : network->second;
    }

    /// Nobody has said it for as long as one of its ids lives.
    bool is_over(const Fact& fact) const {
        return std::ranges::any_of(fact.ids, [&](const Id& id) {
            const auto ttl = of(id).ttl;
            return ttl && now_ - *ttl >= fact.last;
        });
    }

    static bool meet(const std::set<Id>& profile, const std::vector<Id>& ids) {
        return std::ranges::any_of(ids, [&](const Id& id) { return profile.contains(id); });
    }

    static bool names(const Fact& fact, const Id& id) {
        return fact.kind == FactKind::link && std::ranges::find(fact.ids, id) != fact.ids.end();
    }

    bool revoked(const Fact& fact) const {
        return std::ranges::any_of(facts_, [&](const Fact& each) {
            return each.kind == FactKind::revoke && each.about == fact.id && each.last >= fact.last;
        });
    }

    FactKind decision(const Fact& link) const {
        std::tuple latest{Instant::min(), FactId{}, FactKind::link};
        for (const Fact& each : facts_) {
            if ((each.kind == FactKind::accept || each.kind == FactKind::reject) &&
                each.about == link.id && !revoked(each)) {
                latest = std::max(latest, std::tuple{each.last, each.id, each.kind});
            }
        }
        return std::get<FactKind>(latest);
    }

    Said said_first(const Id& id) const {
        std::set<Said> said;
        for (const Fact& each : facts_) {
            if (names(each, id)) {
                const bool refused = decision(each) == FactKind::reject || is_over(each);
                said.emplace(refused, each.first, each.id, each.source);
            }
        }
        return *said.begin();
    }

    std::vector<SaidDatum> data_of(const Id& id) const {
        std::map<std::pair<std::string, std::string>, SaidDatum> data;
        for (const Fact& each : facts_) {
            if (each.kind == FactKind::datum && each.datum && each.ids.front() == id &&
                !is_over(each)) {
                data[{each.datum->name, each.source}] = {
                    *each.datum, each.source, each.first, each.last
                };
            }
        }
        std::vector<SaidDatum> ordered;
        ordered.reserve(data.size());
        for (const auto& [key, datum] : data) {
            ordered.push_back(datum);
        }
        return ordered;
    }

    bool shared(const Id& id) const {
        std::set<Id> others;
        for (const Fact& each : facts_) {
            if (names(each, id)) {
                others.insert(each.ids.begin(), each.ids.end());
            }
        }
        others.erase(id);
        const bool lifted = std::ranges::any_of(facts_, [&](const Fact& each) {
            return each.kind == FactKind::lift && each.ids.front() == id && !revoked(each);
        });
        const std::size_t most = of(id).shared_above.value_or(guards_.shared_above);
        return of(id).never.contains(id.id_value) ||
               others.size() > (lifted ? std::max(most, guards_.lifted_above) : most);
    }

    std::set<Id> profile_of(const Id& id) const {
        return *std::ranges::find_if(profiles_, [&](const auto& ids) { return ids.contains(id); });
    }

    std::optional<Objection> objection(
        const Fact& link, const std::set<Id>& one, const std::set<Id>& two
    ) const {
        for (const Fact& each : facts_) {
            if (each.kind == FactKind::parting && !revoked(each) &&
                ((meet(one, each.ids) && meet(two, each.others)) ||
                 (meet(two, each.ids) && meet(one, each.others)))) {
                return Objection::parting;
            }
        }
        if (decision(link) == FactKind::accept) {
            return std::nullopt;
        }
        for (const Id& id : one) {
            const auto alike = [&](const Id& each) { return each.identifier == id.identifier; };
            const auto of_one = std::ranges::count_if(one, alike);
            const auto of_two = std::ranges::count_if(two, alike);
            const auto most = of(id).per_profile;
            if (most && of_two > 0 && std::cmp_greater(of_one + of_two, *most)) {
                return Objection::per_profile;
            }
        }
        return one.size() + two.size() > guards_.profile_ids ? std::optional{Objection::profile_ids}
                                                             : std::nullopt;
    }

    void take(const Fact& link) {
        const auto unites = [&](const Id& id) { return !found_.shared.contains(id); };
        const auto uniting = std::ranges::find_if(link.ids, unites);
        const Id& first = uniting == link.ids.end() ? link.ids.front() : *uniting;
        TakenLink taken{.link = link.id, .tied = {}, .objected = {}};
        for (const Id& other : link.ids) {
            const std::set<Id> one = profile_of(first);
            const std::set<Id> two = profile_of(other);
            std::optional<Objection> why;
            if (one != two) {
                why =
                    unites(first) && unites(other) ? objection(link, one, two) : Objection::shared;
            }
            if (why) {
                taken.objected.push_back({link.id, {first, other}, *why});
            } else {
                taken.tied.push_back(other);
                profiles_.erase(one);
                profiles_.erase(two);
                std::set<Id> both = one;
                both.insert(two.begin(), two.end());
                profiles_.insert(both);
            }
        }
        if (!taken.objected.empty()) {
            found_.contested.push_back(taken.objected.front());
        }
        std::ranges::sort(taken.tied, {}, [&](const Id& id) { return std::pair{id != first, id}; });
        taken.tied.resize(taken.tied.size() == 1 ? 0 : taken.tied.size());
        links_.push_back(taken);
    }

    const std::vector<Fact>& facts_;
    const Guards& guards_;
    const Instant now_;
    const IdentifierGuards no_guards_ = {};
    std::set<Id> all_;
    std::set<std::set<Id>> profiles_;
    Resolution found_;
    std::vector<TakenLink> links_;
};

}  // namespace footfall::identities
