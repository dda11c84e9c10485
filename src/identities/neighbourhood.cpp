#include "identities/neighbourhood.h"

#include "identities/erasing.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace footfall::identities {
namespace {

/// An id of which no row says that it is shared is read until links name it with so many others,
/// since all that were settled before it became so are to be settled anew.
constexpr std::size_t others_read = 4096;

/// For one call of look_around().
class Looking {
public:
    Looking(
        storage::Store& store, const KnownLevels& levels, const Guards& guards, const Sight& sight
    )
        : store_{store}, levels_{levels}, guards_{guards}, sight_{sight} {}

    Result<Neighbourhood> look(std::span<const Id> ids, std::span<const Fact> trial);

private:
    using Ids = std::vector<Id>;

    Result<Neighbourhood> look_from(Ids ids);
    Result<void> open(const Ids& ids);
    Result<void> refuse_crowd(const Ids& ids);
    void found_too_much(const Ids& from) const;
    void add_to_crowd(const std::vector<Member>& members, bool too_large_beside) const;
    Result<Ids> take_profiles(const Ids& ids, std::set<Id>& into);
    Result<void> read_facts_of(const Ids& ids);
    Ids partners_of(const std::set<Id>& ids) const;
    void find_surroundings();
    Ids came_out_otherwise() const;
    bool stands(const Profile& profile) const;

    bool is_flagged(const Id& id) const;
    bool stands_everywhere(const Id& id) const;
    bool is_still_shared(const Id& id) const;

    bool is_known(const Id& id) const {
        return here_.open.contains(id) || here_.beside.contains(id);
    }

    storage::Store& store_;
    const KnownLevels& levels_;
    const Guards& guards_;
    const Sight& sight_;
    Neighbourhood here_;
    FactsRoom room_{.facts_max = sight_.facts_max, .bytes_max = sight_.bytes_max};
    bool turned_back_ = false;    ///< Before much was read.
    bool knows_profile_ = false;  ///< Whether all facts of the profiles looked at from are read.
};

bool Looking::is_flagged(const Id& id) const {
    const auto found = here_.index.find(id);
    return found != here_.index.end() && found->second.shared;
}

bool Looking::stands_everywhere(const Id& id) const {
    const auto found = here_.index.find(id);
    return found == here_.index.end() || found->second.everywhere;
}

/// Of one that is flagged: whether facts say so, too, as they do unless guards have changed, or it
/// was lifted.
bool Looking::is_still_shared(const Id& id) const {
    std::set<Id> named;
    for (const auto& [fact_id, fact] : here_.facts) {
        if (fact.kind == FactKind::link && std::ranges::binary_search(fact.ids, id)) {
            named.insert(fact.ids.begin(), fact.ids.end());
        }
    }
    const std::size_t most = most_others(guards_, id, is_lifted(here_.facts, id));
    return named.size() > most + 1 || is_never(guards_, id);
}

/// Adds the ids of the profiles that these are in, by rows, and answers with those that are new.
Result<Looking::Ids> Looking::take_profiles(const Ids& ids, std::set<Id>& into) {
    Ids fresh;
    Ids next = ids;
    while (!next.empty()) {
        std::erase_if(next, [&](const Id& each) {
            return is_known(each) || here_.around.shared.contains(each);
        });
        TRY(Index entries, read_index(store_, levels_, next, IndexPlaces::all));
        std::set<std::string> sids;
        for (const auto& [id, entry] : entries) {
            if (!here_.stored.contains(entry.sid)) {
                sids.insert(entry.sid);
            }
        }
        here_.index.merge(entries);
        for (Id& each : next) {
            // Of an open id that does not stand everywhere the entry is to be written.
            const bool stands = &into == &here_.beside || stands_everywhere(each);
            if (is_flagged(each) && stands && sight_.trusts_shared &&
                !sight_.doubted.contains(each)) {
                here_.around.shared.insert(std::move(each));
            } else if (into.insert(each).second) {
                fresh.push_back(std::move(each));
            }
        }
        next.clear();
        TRY(StoredProfiles profiles, read_profiles(store_, sids));
        for (const auto& [sid, members] : profiles) {
            for (const Member& each : members) {
                next.push_back(each.id);
            }
        }
        here_.stored.merge(profiles);
        arrange(next);
    }
    return fresh;
}

Result<void> Looking::read_facts_of(const Ids& ids) {
    std::vector<AskedId> asked;
    asked.reserve(ids.size());
    for (const Id& each : ids) {
        const std::size_t most = most_others(guards_, each);
        const std::size_t if_lifted = most_others(guards_, each, /*is_lifted=*/true);
        const bool flagged = is_flagged(each);
        asked.push_back(
            {.id = each,
             .enough_others = flagged ? most : std::max(most, others_read),
             .enough_if_lifted = flagged ? if_lifted : if_lifted + others_read}
        );
    }
    if (sight_.ledger == nullptr || sight_.ledger->empty()) {
        return read_facts(store_, asked, room_, here_.facts);
    }
    const IsErased is_erased = erased_by(*sight_.ledger);
    return read_facts(store_, asked, room_, here_.facts, &is_erased);
}

/// The ids that links name with one of these, and that nothing is known of yet.
Looking::Ids Looking::partners_of(const std::set<Id>& ids) const {
    Ids partners;
    for (const auto& [id, fact] : here_.facts) {
        const bool leads_on =
            fact.kind == FactKind::link &&
            std::ranges::any_of(fact.ids, [&](const Id& each) { return ids.contains(each); });
        if (leads_on) {
            std::ranges::copy_if(fact.ids, std::back_inserter(partners), [&](const Id& each) {
                return !is_known(each) && !here_.around.shared.contains(each);
            });
        }
    }
    arrange(partners);
    return partners;
}

/// Reads the profiles of these ids, and those beside them.
Result<void> Looking::open(const Ids& ids) {
    Ids unknown;
    for (const Id& each : ids) {
        if (here_.beside.erase(each) > 0) {
            here_.open.insert(each);
        } else {
            unknown.push_back(each);
        }
    }
    TRY(const Ids fresh, take_profiles(unknown, here_.open));
    TRY_VOID(read_facts_of(fresh));
    knows_profile_ = true;
    // What is shared, and was so, has been seen to by whoever found it so.
    std::set<Id> leading;
    for (const Id& each : here_.open) {
        if (!is_flagged(each) || sight_.doubted.contains(each) || !is_still_shared(each)) {
            leading.insert(each);
        }
    }
    const Ids partners = partners_of(leading);
    TRY_VOID(refuse_crowd(partners));
    TRY(const Ids beside, take_profiles(partners, here_.beside));
    return read_facts_of(beside);
}

/// Where one of these is known to be too much already.
Result<void> Looking::refuse_crowd(const Ids& ids) {
    const bool has_one = sight_.crowd != nullptr && std::ranges::any_of(ids, [&](const Id& each) {
                             return sight_.crowd->is_too_large_beside(each);
                         });
    if (!has_one) {
        return {};
    }
    sight_.crowd->turn_back();
    turned_back_ = true;
    return too_many_facts(sight_.facts_max);
}

/// Of which profiles, as rows have them, most of what was read are facts; where it is that of none
/// much is beside the one that was looked at.
void Looking::found_too_much(const Ids& from) const {
    std::map<std::string, std::size_t> facts_of;
    for (const auto& [id, fact] : here_.facts) {
        std::set<std::string> sids;
        for (const Id& each : ids_of(fact)) {
            if (const auto entry = here_.index.find(each); entry != here_.index.end()) {
                sids.insert(entry->second.sid);
            }
        }
        for (const std::string& each : sids) {
            ++facts_of[each];
        }
    }
    bool is_found = false;
    for (const auto& [sid, facts] : facts_of) {
        const auto stored = here_.stored.find(sid);
        if (!turned_back_ && facts > here_.facts.size() / 2 && stored != here_.stored.end()) {
            is_found = true;
            add_to_crowd(stored->second, /*too_large_beside=*/true);
        }
    }
    if (from.size() != 1 || is_found) {
        return;
    }
    const auto entry = here_.index.find(from.front());
    const auto stored =
        entry == here_.index.end() ? here_.stored.end() : here_.stored.find(entry->second.sid);
    add_to_crowd(
        stored == here_.stored.end() ? std::vector<Member>{{.id = from.front()}} : stored->second,
        !knows_profile_ && !turned_back_
    );
}

/// Whoever looks from another id of the profile reads the same.
void Looking::add_to_crowd(const std::vector<Member>& members, bool too_large_beside) const {
    std::set<Id> profile;
    for (const Member& each : members) {
        profile.insert(each.id);
    }
    std::set<Id> beside;
    for (const auto& [id, fact] : here_.facts) {
        const bool leads_on =
            fact.kind == FactKind::link &&
            std::ranges::any_of(fact.ids, [&](const Id& each) { return profile.contains(each); });
        if (leads_on) {
            std::ranges::copy_if(
                fact.ids,
                std::inserter(beside, beside.end()),
                [&](const Id& each) { return !here_.around.shared.contains(each); }
            );
        }
    }
    sight_.crowd->add(profile, too_large_beside, beside);
}

/// Whether an id outside is shared is not looked up, though then the next id of a link unites
/// instead of it: unions that are left out for this make profiles beside smaller, so that guards
/// object to less, and what then comes out otherwise than it stands is opened.
void Looking::find_surroundings() {
    here_.around.outside.clear();
    for (const auto& [fact_id, fact] : here_.facts) {
        if (fact.kind == FactKind::link) {
            std::ranges::copy_if(
                fact.ids,
                std::inserter(here_.around.outside, here_.around.outside.end()),
                [&](const Id& each) {
                    return !is_known(each) && !here_.around.shared.contains(each);
                }
            );
        }
    }
}

/// Whether rows say the same ids of a profile.
bool Looking::stands(const Profile& profile) const {
    const auto entry = here_.index.find(profile.members.front().id);
    const auto stored =
        entry == here_.index.end() ? here_.stored.end() : here_.stored.find(entry->second.sid);
    return stored != here_.stored.end() &&
           std::ranges::equal(stored->second, profile.members, {}, &Member::id, &Member::id);
}

/// Ids beside which are to be opened.
Looking::Ids Looking::came_out_otherwise() const {
    Ids ids;
    for (const Profile& profile : here_.resolution.profiles) {
        const auto open = std::ranges::count_if(profile.members, [&](const Member& each) {
            return here_.open.contains(each.id);
        });
        const bool is_open = std::cmp_equal(open, profile.members.size());
        if (is_open || (open == 0 && stands(profile))) {
            continue;
        }
        for (const Member& each : profile.members) {
            if (here_.beside.contains(each.id)) {
                ids.push_back(each.id);
            }
        }
    }
    arrange(ids);
    return ids;
}

Result<Neighbourhood> Looking::look(std::span<const Id> ids, std::span<const Fact> trial) {
    here_.around.now = sight_.now;
    Ids next{ids.begin(), ids.end()};
    for (const Fact& each : trial) {
        const Ids named = ids_of(each);
        next.insert(next.end(), named.begin(), named.end());
        here_.facts.insert_or_assign(each.id, each);
    }
    arrange(next);
    Result<Neighbourhood> known = look_from(next);
    if (!known && known.error().kind == ErrorKind::conflict && sight_.crowd != nullptr) {
        found_too_much(next);
    }
    return known;
}

Result<Neighbourhood> Looking::look_from(Ids next) {
    while (!next.empty()) {
        TRY_VOID(open(next));
        find_surroundings();
        here_.links += static_cast<std::size_t>(std::ranges::count(
            here_.facts, FactKind::link, [](const auto& each) { return each.second.kind; }
        ));
        here_.resolution = resolve(list_of(here_.facts), guards_, here_.around);
        next = came_out_otherwise();
        here_.went_on |= !next.empty();
    }
    return std::move(here_);
}

}  // namespace

Result<Neighbourhood> look_around(
    storage::Store& store,
    const KnownLevels& levels,
    const Guards& guards,
    const Sight& sight,
    std::span<const Id> ids,
    std::span<const Fact> trial
) {
    return Looking{store, levels, guards, sight}.look(ids, trial);
}

}  // namespace footfall::identities
