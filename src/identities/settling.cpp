#include "identities/settling.h"

#include "identities/contested_rows.h"
#include "identities/past.h"
#include "identities/recorded_guards.h"
#include "identities/sid.h"
#include "identities/unfinished_rows.h"
#include "runtime/moment.h"
#include "storage/blocking.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <map>
#include <random>
#include <set>
#include <string>
#include <utility>

namespace footfall::identities {

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
      tokens_of_ours_{static_cast<std::int64_t>(std::random_device{}())},
      next_token_{tokens_of_ours_ << tokens_bits},
      moved_{store, options_.clock, options_.shared, tokens_of_ours_ << tokens_bits} {}

std::string Settling::sid_of(const Profile& profile) const {
    return names().of(profile.named_after);
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
    sight.ledger = options_.ledger;
    return sight;
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
        std::ranges::move(this->names().all_of(each), std::inserter(names, names.end()));
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
    const Neighbourhood& known, const KnownLevels& levels, bool alone, bool notes_moves
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
        if (notes_moves) {
            name_moved(known, sid, there, profile->members, differences.moved);
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
            if (notes_moves) {
                differences.moved.insert(sid);
            }
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
    const auto gave_it = [&](const Id& id) { return this->names().of(id) == sid; };
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

Result<void> Settling::end(std::span<const Unfinished> unfinished) const {
    if (unfinished.empty()) {
        return {};
    }
    storage::Batch batch;
    for (const Unfinished& each : unfinished) {
        erase_unfinished(each, batch);
    }
    return storage::write_durably(*store_, batch);
}

/// Some ids a row. What a row has after another turn is more than it had.
Result<void> Settling::begin_unfinished(Ongoing& ongoing) const {
    constexpr std::size_t ids_a_row = 1000;
    storage::Batch batch;
    std::size_t part = 0;
    for (auto at = ongoing.looked_at.begin(); at != ongoing.looked_at.end(); ++part) {
        if (part == ongoing.unfinished.size()) {
            ongoing.unfinished.push_back({.writer = ongoing.writer, .token = next_token_++});
        }
        std::vector<Id>& some = ongoing.unfinished[part].ids;
        some.clear();
        for (; at != ongoing.looked_at.end() && some.size() < ids_a_row; ++at) {
            some.push_back(*at);
        }
        add_unfinished(ongoing.unfinished[part], batch);
    }
    return storage::write_durably(*store_, batch);
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
    std::span<const Id> ids, const std::string& writer, Sight sight, Beside beside
) const {
    Ongoing ongoing{
        .writer = writer, .sight = std::move(sight), .looked_at = {ids.begin(), ids.end()}
    };
    if (beside == Beside::nobody) {
        TRY(auto known, settle_alone(ongoing, {}, {}));
        if (known) {
            return *std::move(known);
        }
    }
    return read_again(ongoing, beside);
}

/// Others may write the same rows: where this process has the store to itself, who settles what was
/// noted.
Result<Neighbourhood> Settling::read_again(Ongoing& ongoing, Beside beside) const {
    /// Each turn after the second means that somebody else changed the same ids meanwhile, or that
    /// what they wrote has a later timestamp than ours, by a clock that is ahead: then it takes
    /// until ours has come as far.
    const int turns_max = beside == Beside::others_of_noted ? 5 : 20;
    constexpr std::chrono::milliseconds pause_max{500};
    std::chrono::milliseconds pause{1};
    const std::unique_lock<std::mutex> only =
        beside == Beside::nobody ? alone() : std::unique_lock<std::mutex>{};
    TRY(LevelsSeen levels, levels_.seen());
    for (int turn = 0; turn < turns_max; ++turn) {
        const std::vector<Id> seeds{ongoing.looked_at.begin(), ongoing.looked_at.end()};
        TRY(Neighbourhood known, look(ongoing.sight, *levels, seeds, {}));
        TRY(const MovedProfiles::Writing writing, moved_.begin_writing());
        TRY(const Differences differ,
            differences(known, *levels, /*alone=*/false, writing.is_noted));
        if (differ.empty()) {
            TRY(LevelsSeen after, after_settling(levels, ongoing.looked_at));
            if (after->steps != levels->steps) {
                levels = std::move(after);
                continue;
            }
            TRY_VOID(end(ongoing.unfinished));
            return known;
        }
        if (turn > 1) {
            runtime::wait_a_moment(pause);
            pause = std::min(2 * pause, pause_max);
        }
        ongoing.looks_again(known.open);
        if (known.went_on || differ.split) {
            TRY_VOID(begin_unfinished(ongoing));
        }
        TRY_VOID(write_differences(differ, writing));
    }
    return fail(
        ErrorKind::unavailable,
        "these ids are changed by others all the time; what was said is stored, ask again"
    );
}

Result<Neighbourhood> Settling::settle(std::span<const Id> ids, const std::string& writer) const {
    return settle_again(ids, writer, sight(), beside_me());
}

Result<void> Settling::finish(const std::string& writer) const {
    return finish_in_name_of(writer, options_.sight.facts_max, beside_me());
}

/// What is too much is noted instead, to be settled later.
Result<void> Settling::finish_in_name_of(
    const std::string& writer, std::size_t facts_max, Beside beside
) const {
    TRY(const std::vector<Unfinished> unfinished, read_unfinished(*store_, writer));
    for (const Unfinished& each : unfinished) {
        Sight sight = this->sight();
        sight.facts_max = facts_max;
        sight.doubted = {each.ids.begin(), each.ids.end()};
        const auto known = settle_again(each.ids, writer, std::move(sight), beside);
        const bool is_for_later =
            !known &&
            (known.error().kind == ErrorKind::conflict ||
             (known.error().kind == ErrorKind::unavailable && beside == Beside::others_of_noted));
        if (!known && !is_for_later) {
            return std::unexpected(known.error());
        }
        if (is_for_later) {
            TRY_VOID(note(each.ids, LaterReason::said));
        }
        TRY_VOID(end({&each, 1}));
    }
    return {};
}

Result<std::optional<Neighbourhood>> Settling::settled(std::span<const Id> ids, bool trusts_crowd)
    const {
    if (trusts_crowd && is_crowd(ids)) {
        return too_many_facts(options_.sight.facts_max);
    }
    Sight sight = this->sight();
    sight.trusts_shared = false;
    sight.crowd = trusts_crowd ? &crowd_ : nullptr;
    TRY(LevelsSeen levels, levels_.seen());
    for (;;) {
        TRY(Neighbourhood known, look(sight, *levels, ids, {}));
        TRY(const Differences differ,
            differences(known, *levels, /*alone=*/false, /*notes_moves=*/false));
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
    Sight sight = sight_of(LaterReason::decided, {&id, 1});
    sight.facts_max = options_.sight.facts_max;
    sight.crowd = &crowd_;
    const Result<Neighbourhood> known =
        crowd_.has(id) ? too_many_facts(sight.facts_max)
                       : settle_again({&id, 1}, writer, std::move(sight), beside_me());
    if (!known && known.error().kind != ErrorKind::conflict) {
        return std::unexpected(known.error());
    }
    std::size_t left = 0;
    if (!known) {
        ++left;
        TRY_VOID(note({&id, 1}, LaterReason::decided));
    } else if (known->resolution.shared.contains(id)) {
        TRY_VOID(settle_others_of(id, {.writer = writer, .beside = beside_me()}, left));
    }
    return left;
}

Result<void> Settling::settle_others_of(const Id& id, const Few& few, std::size_t& left) const {
    return for_others_of(*store_, id, [&](const std::vector<Id>& others) -> Result<void> {
        TRY(const std::size_t left_here, settle_few(others, few));
        left += left_here;
        return {};
    });
}

Result<std::size_t> Settling::settle_each(
    std::span<const Id> ids, const std::string& writer, bool trusts_shared
) const {
    return settle_few(
        ids, {.writer = writer, .beside = beside_me(), .trusts_shared = trusts_shared}
    );
}

Result<std::size_t> Settling::settle_few(std::span<const Id> ids, const Few& few) const {
    int conflicts = 0;
    TRY(const std::vector<Id> left, settle_halves(ids, few, conflicts));
    TRY_VOID(note(left, few.trusts_shared ? LaterReason::said : LaterReason::guards));
    return left.size();
}

/// Halves where they are too much together: most that hang together with few are found at once.
/// Once that was found too often the rest is not looked at: who settles later finds what it is.
Result<std::vector<Id>> Settling::settle_halves(
    std::span<const Id> ids, const Few& few, int& conflicts
) const {
    constexpr int conflicts_max = 16;
    std::vector<Id> left;
    std::vector<Id> some;
    for (const Id& each : ids) {
        (crowd_.has(each) || conflicts > conflicts_max ? left : some).push_back(each);
    }
    if (some.empty()) {
        return left;
    }
    Sight sight = this->sight();
    sight.trusts_shared = few.trusts_shared;
    sight.crowd = &crowd_;
    const std::uint64_t turned_back = crowd_.turned_back();
    const Result<Neighbourhood> known =
        settle_again(some, few.writer, std::move(sight), few.beside);
    if (known) {
        return left;
    }
    if (known.error().kind != ErrorKind::conflict) {
        return std::unexpected(known.error());
    }
    conflicts += crowd_.turned_back() == turned_back ? 1 : 0;
    if (some.size() == 1) {
        left.push_back(some.front());
        return left;
    }
    const std::span<const Id> all{some};
    const std::size_t half = all.size() / 2;
    for (const std::span<const Id> part : {all.first(half), all.subspan(half)}) {
        TRY(const std::vector<Id> of_part, settle_halves(part, few, conflicts));
        left.insert(left.end(), of_part.begin(), of_part.end());
    }
    return left;
}

}  // namespace footfall::identities
