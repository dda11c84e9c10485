#include "identities/crowd.h"

#include "identities/neighbourhood.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace footfall::identities {

bool IdSet::contains(const Id& id) const {
    return contains_one({&id, 1});
}

bool IdSet::contains_one(std::span<const Id> ids) const {
    const std::lock_guard lock{mutex_};
    return !hashes_.empty() && std::ranges::any_of(ids, [&](const Id& each) {
        return hashes_.contains(hash_of(each));
    });
}

void IdSet::clear() {
    const std::lock_guard lock{mutex_};
    hashes_.clear();
}

std::size_t IdSet::size() const {
    const std::lock_guard lock{mutex_};
    return hashes_.size();
}

void IdSet::take(IdSet& other) {
    const std::scoped_lock lock{mutex_, other.mutex_};
    if (hashes_.size() + other.hashes_.size() > ids_max) {
        hashes_.clear();
    }
    hashes_.merge(other.hashes_);
    other.hashes_.clear();
}

void IdSet::become(IdSet& other) {
    const std::scoped_lock lock{mutex_, other.mutex_};
    hashes_ = std::exchange(other.hashes_, {});
}

bool NotedIds::has_one(std::span<const Id> ids) const {
    return added_.contains_one(ids) || before_.contains_one(ids) || listed_.contains_one(ids);
}

/// What was noted before it is in rows, and so on the list unless it is settled.
void NotedIds::begin_listing() {
    before_.take(added_);
}

/// Who asks meanwhile finds an id that is on both lists in one of them.
void NotedIds::end_listing(const std::set<Id>& listed) {
    IdSet now;
    now.add(listed);
    listed_.become(now);
    before_.clear();
}

std::size_t NotedIds::size() const {
    return listed_.size() + before_.size() + added_.size();
}

void Crowd::add(const std::set<Id>& profile, bool too_large_beside, const std::set<Id>& beside) {
    ids_.add(profile);
    if (too_large_beside) {
        ids_.add(beside);
        profiles_.add(profile);
    }
}

/// What is looked at for a profile are its own facts and those of the profiles that links lead to;
/// here facts of two of them count twice, which makes no difference but near the bound.
void Crowd::learn(const Neighbourhood& known, std::size_t facts_max) {
    const std::vector<Profile>& profiles = known.resolution.profiles;
    std::map<Id, std::size_t> profile_of;
    for (std::size_t at = 0; at < profiles.size(); ++at) {
        for (const Member& each : profiles[at].members) {
            profile_of.emplace(each.id, at);
        }
    }
    std::vector<std::size_t> own(profiles.size());
    std::vector<std::set<std::size_t>> beside(profiles.size());
    for (const auto& [id, fact] : known.facts) {
        std::set<std::size_t> named;
        for (const Id& each : ids_of(fact)) {
            if (const auto found = profile_of.find(each); found != profile_of.end()) {
                named.insert(found->second);
            }
        }
        for (const std::size_t each : named) {
            ++own[each];
            if (fact.kind == FactKind::link) {
                beside[each].insert(named.begin(), named.end());
            }
        }
    }
    for (std::size_t at = 0; at < profiles.size(); ++at) {
        std::size_t looked_at = 0;
        for (const std::size_t each : beside[at]) {
            looked_at += own[each];
        }
        std::set<Id> ids;
        for (const Member& each : profiles[at].members) {
            ids.insert(each.id);
        }
        const bool is_open = known.open.contains(*ids.begin());
        if (looked_at > facts_max) {
            ids_.add(ids);
        } else if (is_open) {
            ids_.remove(ids);
        }
        if (own[at] > facts_max) {
            profiles_.add(ids);
        } else if (is_open) {
            profiles_.remove(ids);
        }
    }
}

void Crowd::clear() {
    ids_.clear();
    profiles_.clear();
}

}  // namespace footfall::identities
