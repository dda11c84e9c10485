#include "identities/past.h"

#include "identities/fact_rows.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <vector>

namespace footfall::identities {
namespace {

/// All that hangs together with an id, but by ids that many are linked with: these unite nobody,
/// so nobody is looked for through them.
class Past {
public:
    Past(storage::Store& store, const Guards& guards, Instant instant, std::size_t facts_max)
        : store_{store}, guards_{guards}, instant_{instant}, facts_max_{facts_max} {}

    Result<void> read(const Id& id) {
        std::vector<Id> next{id};
        while (!next.empty()) {
            std::vector<AskedId> asked;
            asked.reserve(next.size());
            for (const Id& each : next) {
                read_.insert(each);
                asked.push_back(
                    {.id = each,
                     .enough_others = most_others(guards_, each),
                     .enough_if_lifted = most_others(guards_, each, /*is_lifted=*/true)}
                );
            }
            TRY_VOID(read_facts_until(store_, asked, instant_, facts_max_, facts_));
            next = found_through(next);
        }
        return {};
    }

    Resolution resolved() const {
        Surroundings around{.now = instant_};
        for (const auto& [fact_id, fact] : facts_) {
            for (const Id& each : ids_of(fact)) {
                if (!read_.contains(each)) {
                    around.outside.insert(each);
                }
            }
        }
        return resolve(list_of(facts_), guards_, around);
    }

private:
    /// Ids that links name with these, and that are still to be read.
    std::vector<Id> found_through(const std::vector<Id>& ids) const {
        std::map<Id, std::set<Id>> named_with;
        for (const Id& each : ids) {
            named_with[each];
        }
        for (const auto& [fact_id, fact] : facts_) {
            for (const Id& each : fact.kind == FactKind::link ? fact.ids : nobody_) {
                if (const auto found = named_with.find(each); found != named_with.end()) {
                    found->second.insert(fact.ids.begin(), fact.ids.end());
                }
            }
        }
        std::vector<Id> found;
        for (const auto& [id, named] : named_with) {
            if (named.size() <= most_others(guards_, id, is_lifted(facts_, id)) + 1) {
                std::ranges::copy_if(named, std::back_inserter(found), [&](const Id& each) {
                    return !read_.contains(each);
                });
            }
        }
        arrange(found);
        return found;
    }

    storage::Store& store_;
    const Guards& guards_;
    const Instant instant_;
    const std::size_t facts_max_;
    const std::vector<Id> nobody_;
    std::set<Id> read_;
    Facts facts_;
};

}  // namespace

Result<std::optional<IndexEntry>> entry_at(
    storage::Store& store,
    const Guards& guards,
    const Id& id,
    Instant instant,
    std::size_t facts_max,
    const std::function<std::string(const Profile&)>& sid_of
) {
    Past past{store, guards, instant, facts_max};
    TRY_VOID(past.read(id));
    const Resolution resolution = past.resolved();
    for (const Profile& profile : resolution.profiles) {
        if (std::ranges::find(profile.members, id, &Member::id) != profile.members.end()) {
            return IndexEntry{.sid = sid_of(profile), .shared = resolution.shared.contains(id)};
        }
    }
    return std::nullopt;
}

}  // namespace footfall::identities
