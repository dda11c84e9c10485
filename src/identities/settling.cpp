#include "identities/settling.h"

#include "foundation/check.h"
#include "identities/contested_rows.h"
#include "identities/past.h"
#include "identities/recorded_guards.h"
#include "identities/sid.h"
#include "identities/unfinished_rows.h"
#include "runtime/moment.h"
#include "storage/blocking.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <random>
#include <set>
#include <string>
#include <utility>

namespace footfall::identities {

namespace {

/// Of what one program begins: others' do not meet them but by a chance of one in four billion.
constexpr int tokens_bits = 31;

}  // namespace

Settling::Settling(storage::Store& store, Options options)
    : store_{&store},
      options_{std::move(options)},
      levels_{
          store,
          {.clock = options_.clock,
           .shared = options_.shared,
           .only_read_places = options_.only_read_places}
      },
      guards_{std::make_shared<const Guards>(options_.guards)},
      next_token_{static_cast<std::int64_t>(std::random_device{}()) << tokens_bits} {}

std::string Settling::sid_of(const Profile& profile) const {
    return identities::sid_of(options_.secret, profile.named_after);
}

Result<std::optional<IndexEntry>> Settling::entry_at(const Id& id, Instant instant) const {
    TRY(const auto guards,
        guards_at(*store_, instant, std::make_shared<const Guards>(options_.guards)));
    return identities::entry_at(
        *store_,
        *guards,
        id,
        instant,
        options_.sight.facts_max,
        [this](const Profile& profile) { return sid_of(profile); }
    );
}

Sight Settling::sight() const {
    Sight sight = options_.sight;
    sight.now = options_.clock == nullptr ? sight.now : options_.clock->now();
    return sight;
}

std::unique_lock<std::mutex> Settling::alone() const {
    return options_.shared ? std::unique_lock<std::mutex>{} : std::unique_lock{alone_};
}

Result<Neighbourhood> Settling::look(
    const Sight& sight,
    const KnownLevels& levels,
    std::span<const Id> ids,
    std::span<const Fact> trial
) const {
    TRY(Neighbourhood known, look_around(*store_, levels, *guards(), sight, ids, trial));
    links_looked_at_ += known.links;
    return known;
}

/// Rows say which ids to look at, so they are read where they stand.
Result<Neighbourhood> Settling::know(std::span<const Id> ids, std::span<const Fact> trial) const {
    Sight sight = this->sight();
    sight.trusts_shared = false;
    TRY(LevelsSeen levels, levels_.seen());
    for (;;) {
        TRY(Neighbourhood known, look(sight, *levels, ids, trial));
        TRY(LevelsSeen after, levels_.after_reading(levels, /*missed_some=*/false));
        if (after->steps == levels->steps) {
            return known;
        }
        levels = std::move(after);
    }
}

/// The profiles of open ids that are stored. A profile is named after one of its ids. That the
/// index leads to none of a name says nothing of its rows where others settle, too: who was
/// overtaken may have written them after they were erased.
Result<StoredProfiles> Settling::stored_profiles(
    const Neighbourhood& known, std::set<std::string> names
) const {
    for (const Id& each : known.open) {
        names.insert(identities::sid_of(options_.secret, each));
    }
    return read_profiles(*store_, names);
}

/// The same where nobody else settles: rows stand together, so the index has led to them.
StoredProfiles Settling::stored_profiles_alone(const Neighbourhood& known) {
    StoredProfiles stored;
    for (const auto& [sid, members] : known.stored) {
        if (known.open.contains(members.front().id)) {
            stored.emplace(sid, members);
        }
    }
    return stored;
}

/// The rows of open ids that do not stand as they should; `alone`: nobody else settles meanwhile.
Result<Settling::Differences> Settling::differences(
    const Neighbourhood& known, const KnownLevels& levels, bool alone
) const {
    std::map<std::string, const Profile*> wanted;
    std::set<std::string> names;
    for (const Profile& each : known.resolution.profiles) {
        if (known.open.contains(each.members.front().id)) {
            const std::string sid = sid_of(each);
            wanted.emplace(sid, &each);
            names.insert(sid);
        }
    }
    StoredProfiles stored;
    if (alone) {
        stored = stored_profiles_alone(known);
    } else {
        TRY(stored, stored_profiles(known, std::move(names)));
    }
    Differences differences;
    for (const auto& [sid, profile] : wanted) {
        const auto found = stored.find(sid);
        const std::vector<Member> there =
            found == stored.end() ? std::vector<Member>{} : found->second;
        if (there != profile->members) {
            replace_profile(sid, there, profile->members, differences.rows);
        }
        for (const Member& each : profile->members) {
            const IndexEntry entry{.sid = sid, .shared = known.resolution.shared.contains(each.id)};
            const auto at = known.index.find(each.id);
            if (at == known.index.end() || at->second != entry) {
                storage::Batch& batch = entry.shared ? differences.shared : differences.rows;
                add_index_entry(each.id, entry, levels, batch);
            }
        }
    }
    std::map<Id, std::string> sid_of_id;
    for (const auto& [sid, profile] : wanted) {
        for (const Member& each : profile->members) {
            sid_of_id.emplace(each.id, sid);
        }
    }
    for (const auto& [sid, members] : stored) {
        if (!wanted.contains(sid)) {
            keep_name(sid, known, members, alone ? differences.rows : differences.names);
            replace_profile(sid, members, {}, differences.rows);
        }
        const std::string& where_to = sid_of_id[members.front().id];
        differences.split |= std::ranges::any_of(members, [&](const Member& each) {
            return sid_of_id[each.id] != where_to;
        });
    }
    TRY_VOID(add_contested_rows(known, differences.rows));
    return differences;
}

/// A name that was given out leads on to the id that it was given after. Only an id that is open,
/// or that rows say is in it, can have given it.
void Settling::keep_name(
    const std::string& sid,
    const Neighbourhood& known,
    std::span<const Member> members,
    storage::Batch& batch
) const {
    const auto gave_it = [&](const Id& id) {
        return identities::sid_of(options_.secret, id) == sid;
    };
    const auto member = std::ranges::find_if(members, gave_it, &Member::id);
    if (member != members.end()) {
        add_anchor(sid, member->id, batch);
        return;
    }
    if (const auto id = std::ranges::find_if(known.open, gave_it); id != known.open.end()) {
        add_anchor(sid, *id, batch);
    }
}

/// Of links of which all ids are known and one is open: what stands of others, their own profiles
/// say.
Result<void> Settling::add_contested_rows(const Neighbourhood& known, storage::Batch& batch) const {
    const auto is_seen_to = [&](const Fact& fact) {
        return fact.kind == FactKind::link && fact.ids.size() > 1 &&
               std::ranges::any_of(
                   fact.ids, [&](const Id& each) { return known.open.contains(each); }
               ) &&
               std::ranges::none_of(fact.ids, [&](const Id& each) {
                   return known.around.outside.contains(each);
               });
    };
    const auto is_shared = [&](const Id& each) {
        return known.around.shared.contains(each) || known.resolution.shared.contains(each);
    };
    std::set<FactId> links;
    for (const auto& [id, fact] : known.facts) {
        if (is_seen_to(fact)) {
            links.insert(id);
        }
    }
    TRY(ContestedLinks stored, read_contested(*store_, links));
    for (const Contested& each : known.resolution.contested) {
        if (!links.contains(each.fact) ||
            std::ranges::all_of(known.facts.at(each.fact).ids, is_shared)) {
            continue;
        }
        const auto there = stored.find(each.fact);
        if (there == stored.end() || there->second != each) {
            add_contested(each, batch);
        }
        if (there != stored.end()) {
            stored.erase(there);
        }
    }
    for (const auto& [link, contested] : stored) {
        erase_contested(link, batch);
    }
    return {};
}

Result<void> Settling::end(const Unfinished& unfinished) const {
    if (unfinished.ids.empty()) {
        return {};
    }
    storage::Batch batch;
    erase_unfinished(unfinished, batch);
    return storage::write_durably(*store_, batch);
}

/// Where nobody else writes these rows, they stand once they are written.
Result<Neighbourhood> Settling::settle_alone(
    std::span<const Id> ids,
    const Sight& sight,
    std::span<const Fact> told,
    const storage::Batch& rows_of_told
) const {
    const std::unique_lock<std::mutex> only = alone();
    TRY(const LevelsSeen levels, levels_.seen());
    TRY(Neighbourhood known, look(sight, *levels, ids, told));
    TRY(const Differences differ, differences(known, *levels, /*alone=*/true));
    storage::Batch batch;
    for (const storage::Batch* const each : {&rows_of_told, &differ.rows, &differ.shared}) {
        each->for_each([&](const storage::Batch::Mutation& row) { batch.append(row); });
    }
    if (!batch.empty()) {
        TRY_VOID(storage::write_durably(*store_, batch));
    }
    return known;
}

Result<bool> Settling::settle_with(
    std::span<const Id> ids, std::span<const Fact> told, const storage::Batch& rows_of_told
) const {
    CHECK(!options_.shared, "others would miss facts that are written with what follows from them");
    const auto known = settle_alone(ids, sight(), told, rows_of_told);
    if (known) {
        return true;
    }
    return known.error().kind == ErrorKind::conflict ? Result<bool>{false}
                                                     : std::unexpected(known.error());
}

/// What to go by for who has written rows by `before`: if networks have come further meanwhile,
/// they are to be settled again, so that they stand where they are looked for. Where nobody looks
/// any more they are erased; who comes late may have written them behind who empties the old
/// places.
Result<LevelsSeen> Settling::after_settling(const LevelsSeen& before, const std::set<Id>& written)
    const {
    TRY(LevelsSeen after, levels_.newest());
    if (after->steps == before->steps) {
        return after;
    }
    storage::Batch batch;
    for (const Id& each : written) {
        const IndexStep then = before->of(each.identifier);
        const IndexStep now = after->of(each.identifier);
        const auto has = [&](std::int64_t partition) {
            return index_partition(each, now.read_level()) == partition ||
                   index_partition(each, now.other_level().value_or(now.level)) == partition;
        };
        for (const int level : {then.read_level(), then.other_level().value_or(then.level)}) {
            if (const std::int64_t place = index_partition(each, level); !has(place)) {
                erase_index_entry(each, place, batch);
            }
        }
    }
    if (!batch.empty()) {
        TRY_VOID(storage::write_durably(*store_, batch));
    }
    return after;
}

Result<Neighbourhood> Settling::settle_again(
    std::span<const Id> ids, const std::string& writer, Sight sight
) const {
    if (!options_.shared) {
        return settle_alone(ids, sight, {}, {});
    }
    /// Each turn after the second means that somebody else changed the same ids meanwhile, or that
    /// what they wrote has a later timestamp than ours, by a clock that is ahead: then it takes
    /// until ours has come as far.
    constexpr int turns_max = 20;
    constexpr std::chrono::milliseconds pause_max{500};
    std::chrono::milliseconds pause{1};
    TRY(LevelsSeen levels, levels_.seen());
    // Whoever wrote rows of an id looks at it again, also where they lead elsewhere now.
    std::set<Id> looked_at{ids.begin(), ids.end()};
    Unfinished unfinished{.writer = writer, .token = next_token_++};
    for (int turn = 0; turn < turns_max; ++turn) {
        const std::vector<Id> seeds{looked_at.begin(), looked_at.end()};
        TRY(Neighbourhood known, look(sight, *levels, seeds, {}));
        TRY(const Differences differ, differences(known, *levels, /*alone=*/false));
        if (differ.empty()) {
            TRY(LevelsSeen after, after_settling(levels, looked_at));
            if (after->steps != levels->steps) {
                levels = std::move(after);
                continue;
            }
            TRY_VOID(end(unfinished));
            return known;
        }
        if (turn > 1) {
            runtime::wait_a_moment(pause);
            pause = std::min(2 * pause, pause_max);
        }
        looked_at.insert(known.open.begin(), known.open.end());
        sight.doubted.insert(known.open.begin(), known.open.end());
        if (known.went_on || differ.split) {
            unfinished.ids = {looked_at.begin(), looked_at.end()};
            storage::Batch batch;
            add_unfinished(unfinished, batch);
            TRY_VOID(storage::write_durably(*store_, batch));
        }
        for (const storage::Batch* const batch : {&differ.names, &differ.rows, &differ.shared}) {
            if (!batch->empty()) {
                TRY_VOID(storage::write_durably(*store_, *batch));
            }
        }
    }
    return fail(
        ErrorKind::unavailable,
        "these ids are changed by others all the time; what was said is stored, ask again"
    );
}

Result<Neighbourhood> Settling::settle(std::span<const Id> ids, const std::string& writer) const {
    return settle_again(ids, writer, sight());
}

Result<void> Settling::finish(const std::string& writer) const {
    TRY(const std::vector<Unfinished> unfinished, read_unfinished(*store_, writer));
    for (const Unfinished& each : unfinished) {
        Sight sight = this->sight();
        sight.doubted = {each.ids.begin(), each.ids.end()};
        TRY_VOID(settle_again(each.ids, writer, std::move(sight)));
        storage::Batch batch;
        erase_unfinished(each, batch);
        TRY_VOID(storage::write_durably(*store_, batch));
    }
    return {};
}

Result<std::optional<Neighbourhood>> Settling::settled(std::span<const Id> ids) const {
    Sight sight = options_.sight;
    sight.trusts_shared = false;
    TRY(LevelsSeen levels, levels_.seen());
    for (;;) {
        TRY(Neighbourhood known, look(sight, *levels, ids, {}));
        TRY(const Differences differ, differences(known, *levels, /*alone=*/false));
        TRY(LevelsSeen after, levels_.after_reading(levels, /*missed_some=*/false));
        if (after->steps == levels->steps) {
            return differ.empty() ? std::optional{std::move(known)} : std::nullopt;
        }
        levels = std::move(after);
    }
}

/// Links of a shared id are looked at from their other ids, of which a look at it alone knows no
/// more than tell that it is shared. Nobody need look again where this ends before: who is told the
/// decision again comes here.
Result<std::size_t> Settling::settle_decided(const Id& id, const std::string& writer) const {
    Sight sight = this->sight();
    sight.doubted = {id};
    const Result<Neighbourhood> known = settle_again({&id, 1}, writer, std::move(sight));
    if (!known) {
        return known.error().kind == ErrorKind::conflict ? Result<std::size_t>{std::size_t{1}}
                                                         : std::unexpected(known.error());
    }
    if (!known->resolution.shared.contains(id)) {
        return std::size_t{0};
    }
    std::size_t left = 0;
    TRY_VOID(for_others_of(*store_, id, [&](const std::vector<Id>& others) -> Result<void> {
        TRY(const std::size_t left_here, settle_each(others, writer));
        left += left_here;
        return {};
    }));
    return left;
}

/// Halves where they are too much together: most that hang together with few are found at once.
Result<std::size_t> Settling::settle_each(
    std::span<const Id> ids, const std::string& writer, bool trusts_shared
) const {
    Sight sight = this->sight();
    sight.trusts_shared = trusts_shared;
    const Result<Neighbourhood> known = settle_again(ids, writer, std::move(sight));
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
    TRY(const std::size_t first, settle_each(ids.first(half), writer, trusts_shared));
    TRY(const std::size_t second, settle_each(ids.subspan(half), writer, trusts_shared));
    return first + second;
}

}  // namespace footfall::identities
