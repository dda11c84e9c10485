#include "identities/settling.h"

#include "identities/sid.h"
#include "runtime/moment.h"
#include "storage/blocking.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <set>
#include <string>
#include <utility>

namespace footfall::identities {

std::string Settling::sid_of(const Profile& profile) const {
    return identities::sid_of(options_.secret, profile.named_after);
}

Result<Settling::Known> Settling::know(std::span<const Id> ids, std::span<const Fact> trial) const {
    Known known;
    TRY(known.component, read_component(*store_, ids, options_.facts_max));
    std::vector<Fact> facts;
    facts.reserve(known.component.facts.size() + trial.size());
    for (const auto& [id, fact] : known.component.facts) {
        facts.push_back(fact);
    }
    facts.insert(facts.end(), trial.begin(), trial.end());
    known.resolution = resolve(facts, options_.guards);
    return known;
}

/// The rows that do not stand as they should.
Result<storage::Batch> Settling::differences(const Known& known) const {
    const std::vector<Id> ids{known.component.ids.begin(), known.component.ids.end()};
    TRY(const Index index, read_index(*store_, ids));
    std::map<std::string, const Profile*> wanted;
    std::set<std::string> names;
    for (const Profile& each : known.resolution.profiles) {
        const std::string sid = sid_of(each);
        wanted.emplace(sid, &each);
        names.insert(sid);
    }
    TRY(const std::set<std::string> given_out, read_given_out(*store_, names));
    // A profile of these ids is named after one of them. That the index leads to none of a name
    // says nothing of its rows: who was overtaken may have written them after they were erased.
    for (const Id& each : ids) {
        names.insert(identities::sid_of(options_.secret, each));
    }
    TRY(const StoredProfiles stored, read_profiles(*store_, names));
    storage::Batch batch;
    for (const auto& [sid, profile] : wanted) {
        const auto found = stored.find(sid);
        const std::vector<Member> there =
            found == stored.end() ? std::vector<Member>{} : found->second;
        if (!given_out.contains(sid)) {
            add_anchor(sid, profile->named_after, batch);
        }
        if (there != profile->members) {
            replace_profile(sid, there, profile->members, batch);
        }
        for (const Member& each : profile->members) {
            const IndexEntry entry{.sid = sid, .shared = known.resolution.shared.contains(each.id)};
            const auto at = index.find(each.id);
            if (at == index.end() || at->second != entry) {
                add_index_entry(each.id, entry, batch);
            }
        }
    }
    for (const auto& [sid, members] : stored) {
        if (!wanted.contains(sid)) {
            replace_profile(sid, members, {}, batch);
        }
    }
    return batch;
}

Result<Settling::Known> Settling::settle(std::span<const Id> ids) const {
    /// Each turn after the second means that somebody else changed the same ids meanwhile, or that
    /// what they wrote has a later timestamp than ours, by a clock that is ahead: then it takes
    /// until ours has come as far.
    constexpr int turns_max = 20;
    constexpr std::chrono::milliseconds pause_max{500};
    std::chrono::milliseconds pause{1};
    for (int turn = 0; turn < turns_max; ++turn) {
        TRY(Known known, know(ids));
        TRY(const storage::Batch batch, differences(known));
        if (batch.empty()) {
            return known;
        }
        if (turn > 1) {
            runtime::wait_a_moment(pause);
            pause = std::min(2 * pause, pause_max);
        }
        TRY_VOID(storage::write_durably(*store_, batch));
    }
    return fail(
        ErrorKind::unavailable,
        "these ids are changed by others all the time; what was said is stored, ask again"
    );
}

Result<std::optional<Settling::Known>> Settling::settled(std::span<const Id> ids) const {
    TRY(Known known, know(ids));
    TRY(const storage::Batch batch, differences(known));
    return batch.empty() ? std::optional{std::move(known)} : std::nullopt;
}

/// Halves where they are too much together: most that hang together with few are found at once.
Result<std::size_t> Settling::settle_each(std::span<const Id> ids) const {
    const Result<Known> known = settle(ids);
    if (known) {
        return std::size_t{0};
    }
    if (known.error().kind != ErrorKind::conflict) {
        return std::unexpected(known.error());
    }
    if (ids.size() == 1) {
        return std::size_t{1};
    }
    const std::size_t half = ids.size() / 2;
    TRY(const std::size_t first, settle_each(ids.first(half)));
    TRY(const std::size_t second, settle_each(ids.subspan(half)));
    return first + second;
}

}  // namespace footfall::identities
