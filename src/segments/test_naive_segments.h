#pragma once

#include "foundation/clock.h"
#include "identities/profile_rows.h"
#include "identities/sid.h"
#include "identities/test_facts.h"
#include "identities/test_rows.h"
#include "segments/segments.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

namespace footfall::segments {

/// What was said, and what follows by going through all of it.
class NaiveSegments {
public:
    void add(const std::string& segment, const Member& member) {
        members_[segment][member.id] = member.expires;
    }

    void remove(const std::string& segment, const identities::Id& id) {
        members_[segment].erase(id);
    }

    void drop(const std::string& segment) { members_.erase(segment); }

    /// What ids are in by which sid; all others are alone.
    void use(const identities::Index& index) {
        sids_.clear();
        for (const auto& [id, entry] : index) {
            sids_[id] = entry.sid;
        }
    }

    std::string sid_of(const identities::Id& id) const {
        const auto sid = sids_.find(id);
        return sid == sids_.end() ? identities::sid_of(identities::rows_secret, id) : sid->second;
    }

    std::set<std::string> people(const std::string& segment, Instant now) const {
        std::set<std::string> people;
        if (const auto found = members_.find(segment); found != members_.end()) {
            for (const auto& [id, expires] : found->second) {
                if (!expires || *expires > now) {
                    people.insert(sid_of(id));
                }
            }
        }
        return people;
    }

    /// Profiles with an id of which consent was refused.
    void refuse_consent(std::set<std::string> sids) { refusing_ = std::move(sids); }

    /// Ids whose profile is in it, and of whom others may be told.
    std::set<identities::Id> ids(const std::string& segment, Instant now) const {
        std::set<std::string> in = people(segment, now);
        std::erase_if(in, [&](const std::string& sid) { return refusing_.contains(sid); });
        std::set<identities::Id> ids;
        if (const auto found = members_.find(segment); found != members_.end()) {
            for (const auto& [id, expires] : found->second) {
                if (in.contains(sid_of(id))) {
                    ids.insert(id);
                }
            }
        }
        for (const auto& [id, sid] : sids_) {
            if (in.contains(sid)) {
                ids.insert(id);
            }
        }
        return ids;
    }

private:
    std::map<std::string, std::map<identities::Id, std::optional<Instant>>> members_;
    std::map<identities::Id, std::string> sids_;
    std::set<std::string> refusing_;
};

}  // namespace footfall::segments
