#include "identities/profile_differences.h"

#include "identities/contested_rows.h"
#include "identities/fact_rows.h"
#include "identities/profile_rows.h"
#include "identities/said_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

namespace footfall::identities {
namespace {

/// What ought to stand.
struct Wanted {
    Index index;
    StoredProfiles profiles;
    ContestedLinks contested;
};

Wanted wanted_of(const Component& component, const ProfileTruth& truth) {
    const Resolution resolution =
        resolve(list_of(component.facts), *truth.guards, {.now = truth.now});
    Wanted wanted;
    for (const Profile& profile : resolution.profiles) {
        const std::string sid = truth.names.of(profile.named_after);
        wanted.profiles.emplace(sid, profile.members);
        for (const Member& each : profile.members) {
            wanted.index.emplace(
                each.id, IndexEntry{.sid = sid, .shared = resolution.shared.contains(each.id)}
            );
        }
    }
    for (const Contested& each : resolution.contested) {
        const std::vector<Id>& ids = component.facts.at(each.fact).ids;
        // Nothing can make room for a link of which all ids are shared, so it has no row.
        if (!std::ranges::all_of(ids, [&](const Id& id) {
                return resolution.shared.contains(id);
            })) {
            wanted.contested.emplace(each.fact, each);
        }
    }
    return wanted;
}

std::string text_of(const IndexEntry* entry) {
    return entry == nullptr
               ? "no profile"
               : fmt::format("profile {}{}", entry->sid, entry->shared ? ", shared" : "");
}

void compare_index(
    const std::set<Id>& ids,
    const Index& stored,
    const Index& wanted,
    std::vector<std::string>& differences
) {
    for (const Id& each : ids) {
        const auto there = stored.find(each);
        const auto right = wanted.find(each);
        const IndexEntry* const is = there == stored.end() ? nullptr : &there->second;
        const IndexEntry* const ought = right == wanted.end() ? nullptr : &right->second;
        if ((is == nullptr) != (ought == nullptr) || (is != nullptr && *is != *ought)) {
            differences.push_back(fmt::format(
                "{}: the index says {}; by the facts it is in {}",
                object_of(each),
                text_of(is),
                text_of(ought)
            ));
        }
    }
}

void compare_profiles(
    const StoredProfiles& stored,
    const StoredProfiles& wanted,
    std::vector<std::string>& differences
) {
    for (const auto& [sid, members] : wanted) {
        const auto there = stored.find(sid);
        if (there == stored.end()) {
            differences.push_back(
                fmt::format("profile {}: no row; by the facts it has {} ids", sid, members.size())
            );
        } else if (there->second.size() != members.size()) {
            differences.push_back(fmt::format(
                "profile {}: {} ids in its rows; by the facts it has {}",
                sid,
                there->second.size(),
                members.size()
            ));
        } else if (there->second != members) {
            differences.push_back(fmt::format(
                "profile {}: its rows say other ids, times or sources than the facts", sid
            ));
        }
    }
    for (const auto& [sid, members] : stored) {
        if (!wanted.contains(sid)) {
            differences.push_back(fmt::format(
                "profile {}: {} ids in its rows; by the facts it is none", sid, members.size()
            ));
        }
    }
}

void compare_contested(
    const Component& component,
    const ContestedLinks& stored,
    const ContestedLinks& wanted,
    std::vector<std::string>& differences
) {
    const auto text_at = [](const ContestedLinks& links, const FactId& link) {
        const auto found = links.find(link);
        return found == links.end() ? std::string{"nobody"}
                                    : std::string{name_of(found->second.objection)};
    };
    for (const auto& [link, fact] : component.facts) {
        const auto there = stored.find(link);
        const auto right = wanted.find(link);
        const bool is_there = there != stored.end();
        if (is_there != (right != wanted.end()) || (is_there && there->second != right->second)) {
            differences.push_back(fmt::format(
                "link {}: by its row {} objects to it; by the facts {}",
                text_of(link),
                text_at(stored, link),
                text_at(wanted, link)
            ));
        }
    }
}

}  // namespace

Result<std::vector<std::string>> profile_differences(
    storage::Store& store, const ProfileTruth& truth, std::span<const Id> ids
) {
    TRY(const Component component, read_component(store, ids, truth.facts_max));
    const Wanted wanted = wanted_of(component, truth);
    std::vector<std::string> differences;
    const std::vector<Id> all{component.ids.begin(), component.ids.end()};
    TRY(const Index index, read_index(store, all));
    compare_index(component.ids, index, wanted.index, differences);
    // A profile of these ids has the name of one of them, and rows where the index leads to none.
    std::set<std::string> names;
    for (const Id& each : all) {
        std::ranges::move(truth.names.all_of(each), std::inserter(names, names.end()));
    }
    TRY(const StoredProfiles profiles, read_profiles(store, names));
    compare_profiles(profiles, wanted.profiles, differences);
    std::set<FactId> links;
    for (const auto& [link, fact] : component.facts) {
        links.insert(link);
    }
    TRY(const ContestedLinks contested, read_contested(store, links));
    compare_contested(component, contested, wanted.contested, differences);
    return differences;
}

}  // namespace footfall::identities
