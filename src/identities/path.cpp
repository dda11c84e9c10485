#include "identities/path.h"

#include "identities/standing.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace footfall::identities {
namespace {

/// How far it is from everywhere to one id, counted in links.
class Ways {
public:
    Ways(std::span<const TakenLink> links, const Id& to);

    std::vector<Step> from(const Id& id) const;

private:
    using Ids = std::set<Id>;

    void look_back_from(const Ids& ids, std::size_t left, Ids& farther);
    std::size_t earliest_from(const Ids& ids, std::size_t left) const;

    std::span<const TakenLink> links_;
    std::map<Id, std::vector<std::size_t>> links_of_;  ///< Where they stand, in their order.
    std::map<Id, std::size_t> left_;                   ///< How many links are left of an id.
    std::vector<std::size_t> left_behind_;             ///< And behind a link.
    static constexpr std::size_t no_way = std::numeric_limits<std::size_t>::max();
};

Ways::Ways(std::span<const TakenLink> links, const Id& to)
    : links_{links}, left_behind_(links.size(), no_way) {
    for (std::size_t at = 0; at < links.size(); ++at) {
        for (const Id& each : links[at].tied) {
            links_of_[each].push_back(at);
        }
    }
    left_.emplace(to, 0);
    Ids next{to};
    for (std::size_t left = 0; !next.empty(); ++left) {
        Ids farther;
        look_back_from(next, left, farther);
        next = std::move(farther);
    }
}

void Ways::look_back_from(const Ids& ids, std::size_t left, Ids& farther) {
    for (const Id& id : ids) {
        const auto links = links_of_.find(id);
        if (links == links_of_.end()) {
            continue;
        }
        for (const std::size_t link : links->second) {
            if (left_behind_[link] != no_way) {
                continue;
            }
            left_behind_[link] = left;
            for (const Id& each : links_[link].tied) {
                if (left_.emplace(each, left + 1).second) {
                    farther.insert(each);
                }
            }
        }
    }
}

/// Of the links that tie one of these ids to one of which so many links are left.
std::size_t Ways::earliest_from(const Ids& ids, std::size_t left) const {
    std::size_t earliest = no_way;
    for (const Id& id : ids) {
        for (const std::size_t link : links_of_.at(id)) {
            if (left_behind_[link] == left) {
                earliest = std::min(earliest, link);
                break;
            }
        }
    }
    return earliest;
}

/// All ids to which the links that were chosen lead are kept, since the next link may be tied to
/// any of them.
std::vector<Step> Ways::from(const Id& id) const {
    const auto start = left_.find(id);
    std::vector<Step> path;
    Ids here{id};
    for (std::size_t left = start == left_.end() ? 0 : start->second; left > 0; --left) {
        const TakenLink& link = links_[earliest_from(here, left - 1)];
        const Ids tied{link.tied.begin(), link.tied.end()};
        const Id from =
            *std::ranges::find_if(here, [&](const Id& each) { return tied.contains(each); });
        if (!path.empty()) {
            path.back().to = from;
        }
        here.clear();
        for (const Id& each : tied) {
            if (left_.at(each) == left - 1) {
                here.insert(each);
            }
        }
        path.push_back({.link = link.link, .from = from, .to = *here.begin()});
    }
    return path;
}

bool is_in(const Profile& profile, const Id& id) {
    return std::ranges::binary_search(profile.members, id, {}, &Member::id);
}

bool meet(const Profile& profile, const std::vector<Id>& ids) {
    return std::ranges::any_of(ids, [&](const Id& each) { return is_in(profile, each); });
}

bool part(const Fact& parting, const Profile& one, const Profile& other) {
    return (meet(one, parting.ids) && meet(other, parting.others)) ||
           (meet(other, parting.ids) && meet(one, parting.others));
}

/// To the first pair that would have made the two one, or brought another profile to one of them.
/// There is one, unless they are shared and so is what the link could have tied them to.
Objection objection_between(const TakenLink& link, const Profile& one, const Profile& other) {
    const auto found = std::ranges::find_if(link.objected, [&](const Contested& pair) {
        const auto leads_to = [&](const Profile& profile) {
            return is_in(profile, pair.ids.back()) && !is_in(profile, pair.ids.front());
        };
        return leads_to(one) || leads_to(other);
    });
    return found == link.objected.end() ? Objection::shared : found->objection;
}

}  // namespace

std::vector<Step> path_between(std::span<const TakenLink> links, const Id& from, const Id& to) {
    return Ways{links, to}.from(from);
}

std::vector<KeptApart> what_keeps_apart(
    std::span<const Fact> facts,
    std::span<const TakenLink> links,
    const Profile& one,
    const Profile& other
) {
    std::map<FactId, const TakenLink*> taken;
    for (const TakenLink& each : links) {
        taken.emplace(each.link, &each);
    }
    const std::vector<Standing> standings = standing_of(facts);
    std::vector<KeptApart> all;
    for (std::size_t at = 0; at < facts.size(); ++at) {
        const Fact& fact = facts[at];
        const bool holds = standings[at] != Standing::void_of_effect;
        if (fact.kind == FactKind::parting && holds && part(fact, one, other)) {
            all.push_back({.fact = &fact});
        } else if (fact.kind == FactKind::link && meet(one, fact.ids) && meet(other, fact.ids)) {
            all.push_back({.fact = &fact, .is_void = !holds});
            const auto at_link = taken.find(fact.id);
            all.back().has_ended = holds && at_link == taken.end();
            if (at_link != taken.end()) {
                all.back().objection = objection_between(*at_link->second, one, other);
            }
        }
    }
    std::ranges::sort(all, {}, [](const KeptApart& each) {
        return std::tie(each.fact->first, each.fact->id);
    });
    return all;
}

}  // namespace footfall::identities
