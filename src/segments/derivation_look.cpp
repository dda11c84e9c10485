#include "identities/profile_rows.h"
#include "identities/sid.h"
#include "segments/consent.h"
#include "segments/derivation.h"
#include "storage/blocking.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace footfall::segments {
namespace {

std::vector<std::int64_t> without(
    const std::vector<std::int64_t>& some, const std::vector<std::int64_t>& others
) {
    std::vector<std::int64_t> left;
    std::ranges::set_difference(some, others, std::back_inserter(left));
    return left;
}

void append(const storage::Batch& from, storage::Batch& to) {
    from.for_each([&](const storage::Batch::Mutation& row) { to.append(row); });
}

}  // namespace

/// What failed is looked at again before anything else, all of it. People with very many ids are
/// looked at by fewer at once.
Result<void> Derivation::look(Asked asked) {
    failed_ = std::move(asked);
    std::set<sets::Number> seen;
    std::vector<Asked> parts;
    Asked next;
    for (const Asked* part = &failed_; part != nullptr;) {
        TRY(People people, gather(*part));
        std::size_t ids = 0;
        for (const auto& [sid, person] : people) {
            ids += person.ids.size();
        }
        if (ids > options_.ids_at_once && part->size() > 1) {
            auto [one, other] = halves_of(*part);
            parts.push_back(std::move(one));
            parts.push_back(std::move(other));
        } else {
            TRY_VOID(look_at(people, seen));
        }
        part = nullptr;
        if (!parts.empty()) {
            next = std::move(parts.back());
            parts.pop_back();
            part = &next;
        }
    }
    failed_ = {};
    settle_doubts(seen);
    return {};
}

std::pair<Derivation::Asked, Derivation::Asked> Derivation::halves_of(const Asked& asked) {
    std::pair<Asked, Asked> halves;
    bool is_first = true;
    const auto next = [&]() -> Asked& {
        is_first = !is_first;
        return is_first ? halves.first : halves.second;
    };
    for (const std::string& each : asked.sids) {
        next().sids.insert(each);
    }
    for (const identities::Id& each : asked.ids) {
        next().ids.insert(each);
    }
    return halves;
}

/// `seen`: while something is doubted, the numbers of people who are.
Result<void> Derivation::look_at(People& people, std::set<sets::Number>& seen) {
    const Instant now = clock_->now();
    TRY_VOID(add_memberships(people, now));
    TRY_VOID(add_ruled(people, now));
    while (!untold_.empty()) {
        TRY_VOID(last_change(*untold_.begin()));
        untold_.erase(untold_.begin());
    }
    TRY_VOID(add_told_of(people));
    TRY_VOID(add_who_was_alone(people));
    Writes writes;
    Result<void> done = compare(people, now, writes);
    done = done ? write(writes) : done;
    {
        // Also where nobody knows whether the write stands.
        const std::lock_guard lock{news_mutex_};
        for (const auto& [segment, last] : writes.told) {
            news_.insert(segment);
        }
    }
    if (!done) {
        for (const auto& [sid, person] : people) {
            failed_.sids.insert(sid);
        }
        doubt(writes);
        return done;
    }
    move(writes, seen);
    looked_ += people.size();
    changes_ += writes.count;
    return {};
}

/// Ids lead to the profiles that they are in, or stand alone. A row of a person who is an id alone
/// leads to that id: it may be in a profile meanwhile.
Result<Derivation::People> Derivation::gather(const Asked& asked) {
    People people;
    const auto add_people = [&](const std::vector<std::string>& sids) -> Result<void> {
        TRY(PersonRows rows, read_people(*store_, sids));
        for (const std::string& each : sids) {
            Person& person = people[each];
            if (const auto row = rows.find(each); row != rows.end()) {
                person.stored = std::move(row->second);
            }
        }
        return {};
    };
    TRY_VOID(add_people({asked.sids.begin(), asked.sids.end()}));
    std::vector<identities::Id> ids{asked.ids.begin(), asked.ids.end()};
    for (const auto& [sid, person] : people) {
        if (person.stored && person.stored->alone && !asked.ids.contains(*person.stored->alone)) {
            ids.push_back(*person.stored->alone);
        }
    }
    TRY(const identities::Index index,
        identities::read_index(settling_->levels(), ids, identities::IndexPlaces::read));
    std::map<std::string, identities::Id> alone;
    std::vector<std::string> more;
    for (const identities::Id& each : ids) {
        // Who was erased was a person alone under another name. The last one is that of now.
        std::vector<std::string> names = settling_->names().all_of(each);
        if (const auto at = index.find(each); at != index.end()) {
            names.back() = at->second.sid;
        } else {
            alone.emplace(names.back(), each);
        }
        std::ranges::move(names, std::back_inserter(more));
    }
    std::ranges::sort(more);
    more.erase(std::ranges::unique(more).begin(), more.end());
    std::erase_if(more, [&](const std::string& each) { return people.contains(each); });
    TRY_VOID(add_people(more));
    std::set<std::string> sids;
    for (const auto& [sid, person] : people) {
        if (!alone.contains(sid)) {
            sids.insert(sid);
        }
    }
    TRY(const identities::StoredProfiles profiles, identities::read_profiles(*store_, sids));
    for (auto& [sid, person] : people) {
        if (const auto found = alone.find(sid); found != alone.end()) {
            person.ids = {found->second};
            person.alone = found->second;
        } else if (const auto profile = profiles.find(sid); profile != profiles.end()) {
            for (const identities::Member& each : profile->second) {
                person.ids.push_back(each.id);
            }
            person.may_be_told = may_be_told(profile->second);
            if (rules_->has_data) {
                person.data = data_of(profile->second, settling_->data_rules());
            }
        }
    }
    return people;
}

/// A segment stands before its first member, so one that is not found is dropped.
Result<bool> Derivation::is_live_segment(std::int64_t segment) {
    constexpr std::size_t dead_max = 10'000;
    if (live_.contains(segment)) {
        return true;
    }
    if (!dead_.contains(segment)) {
        TRY_VOID(refresh_segments());
        if (live_.contains(segment)) {
            return true;
        }
        if (dead_.size() >= dead_max) {
            dead_.clear();
        }
        dead_.insert(segment);
    }
    return false;
}

Result<void> Derivation::add_memberships(People& people, Instant now) {
    std::vector<const identities::Id*> ids;
    std::vector<Person*> of_ids;
    for (auto& [sid, person] : people) {
        for (const identities::Id& each : person.ids) {
            ids.push_back(&each);
            of_ids.push_back(&person);
        }
    }
    TRY(const auto memberships, read_memberships(*store_, ids, now));
    for (std::size_t at = 0; at < ids.size(); ++at) {
        Person& person = *of_ids[at];
        for (const Membership& each : memberships[at]) {
            TRY(const bool is_there, is_live_segment(each.segment));
            if (!is_there) {
                continue;
            }
            person.segments.push_back(each.segment);
            if (each.expires != 0 && (person.looks == 0 || each.expires < person.looks)) {
                person.looks = each.expires;
            }
        }
    }
    for (auto& [sid, person] : people) {
        std::ranges::sort(person.segments);
        person.segments.erase(std::ranges::unique(person.segments).begin(), person.segments.end());
    }
    return {};
}

/// Behind the last changes that stand, which rows of ids follow by now.
Result<void> Derivation::add_told_of(People& people) {
    std::vector<const identities::Id*> ids;
    for (const auto& [sid, person] : people) {
        for (const identities::Id& each : person.ids) {
            ids.push_back(&each);
        }
    }
    TRY(std::vector<Told> told, read_told(*store_, ids));
    auto next = told.begin();
    for (auto& [sid, person] : people) {
        const auto end = next + static_cast<std::ptrdiff_t>(person.ids.size());
        person.told.assign(std::make_move_iterator(next), std::make_move_iterator(end));
        next = end;
    }
    return {};
}

/// An id that was a person alone before it came into a profile is that person no more. Any id may
/// have been one: that it was told of says nothing, since on a cluster a look that was killed may
/// have written that it left, and not yet have erased the person.
Result<void> Derivation::add_who_was_alone(People& people) {
    std::map<std::string, identities::Id> alone;
    for (const auto& [sid, person] : people) {
        if (person.alone) {
            continue;
        }
        for (const identities::Id& each : person.ids) {
            alone.emplace(settling_->names().of(each), each);
        }
    }
    std::vector<std::string> sids;
    for (const auto& [sid, id] : alone) {
        if (!people.contains(sid)) {
            sids.push_back(sid);
        }
    }
    TRY(PersonRows rows, read_people(*store_, sids));
    for (auto& [sid, row] : rows) {
        if (row.alone == alone.at(sid)) {
            people[sid].stored = std::move(row);
        }
    }
    return {};
}

/// People of whom nothing was ever known are nothing to write.
Result<void> Derivation::compare(const People& people, Instant now, Writes& writes) {
    writes.changes.emplace_back();
    {
        const Changing changing{*this};
        for (const auto& [sid, person] : people) {
            if (person.stored) {
                sets_.use_number(static_cast<sets::Number>(person.stored->number));
            }
        }
        for (const auto& [sid, person] : people) {
            TRY_VOID(compare_row(sid, person, writes));
        }
        sets_.book();
    }
    return tell_changes(people, now, writes);
}

/// That somebody is to be looked at stands before the row that relies on it.
Result<void> Derivation::compare_row(const std::string& sid, const Person& person, Writes& writes) {
    const std::optional<PersonRow>& stored = person.stored;
    if (person.segments.empty()) {
        if (stored) {
            erase_person(sid, writes.rows);
            writes.moves.push_back(
                {.number = static_cast<sets::Number>(stored->number),
                 .before = stored->segments,
                 .now = {}}
            );
        }
        return {};
    }
    PersonRow row{.segments = person.segments, .looks = person.looks, .alone = person.alone};
    if (stored) {
        row.number = stored->number;
    } else {
        const auto number = sets_.take_number();
        if (!number) {
            return fail(ErrorKind::overloaded, "there are more people than can be numbered");
        }
        row.number = *number;
    }
    if (row.looks != 0 && (!stored || stored->looks != row.looks || is_doubted_)) {
        add_expiry(row.looks, sid, writes.changes.front());
    }
    if (!stored || *stored != row) {
        add_person(sid, row, writes.rows);
    }
    if (!stored || stored->segments != row.segments || is_doubted_) {
        writes.moves.push_back(
            {.number = static_cast<sets::Number>(row.number),
             .before = stored ? stored->segments : std::vector<std::int64_t>{},
             .now = row.segments}
        );
    }
    return {};
}

/// An id that two profiles claim, while others settle, is told of once; who settles notes both.
Result<void> Derivation::tell_changes(const People& people, Instant now, Writes& writes) {
    const auto by_id = [](const identities::Id* one, const identities::Id* other) {
        return *one < *other;
    };
    std::set<const identities::Id*, decltype(by_id)> seen{by_id};
    const auto say = [&](const identities::Id& id, std::int64_t segment, bool joined
                     ) -> Result<void> {
        auto last = writes.told.find(segment);
        if (last == writes.told.end()) {
            TRY(const std::uint64_t number, last_change(segment));
            add_told_until(segment, number, writes.rows);
            last = writes.told.emplace(segment, number).first;
        }
        const Change change{.number = ++last->second, .id = id, .joined = joined, .at = now};
        const auto chunks_begun = static_cast<std::size_t>(
            chunk_of(change.number) - chunk_of(last_changes_[segment] + 1)
        );
        if (writes.changes.size() <= chunks_begun) {
            writes.changes.resize(chunks_begun + 1);
        }
        add_change(segment, change, writes.changes[chunks_begun]);
        if (joined) {
            add_told(id, segment, change.number, writes.rows);
        } else {
            erase_told(id, segment, writes.rows);
        }
        ++writes.count;
        return {};
    };
    for (const auto& [sid, person] : people) {
        const Told wanted = person.may_be_told ? person.segments : Told{};
        for (std::size_t at = 0; at < person.ids.size(); ++at) {
            const identities::Id& id = person.ids[at];
            const Told& told = person.told[at];
            if (told == wanted || !seen.insert(&id).second) {
                continue;
            }
            for (const std::int64_t each : without(wanted, told)) {
                TRY_VOID(say(id, each, /*joined=*/true));
            }
            for (const std::int64_t each : without(told, wanted)) {
                TRY(const bool is_there, is_live_segment(each));
                if (is_there) {
                    TRY_VOID(say(id, each, /*joined=*/false));
                } else {
                    erase_told(id, each, writes.rows);
                }
            }
        }
    }
    return {};
}

Result<void> Derivation::write(const Writes& writes) {
    std::vector<storage::Batch> batches;
    if (options_.shared) {
        batches = writes.changes;
        batches.push_back(writes.rows);
    } else {
        batches.emplace_back();
        for (const storage::Batch& each : writes.changes) {
            append(each, batches.front());
        }
        append(writes.rows, batches.front());
    }
    for (const storage::Batch& each : batches) {
        if (!each.empty()) {
            TRY_VOID(storage::write_durably(*store_, each));
        }
    }
    return {};
}

/// Nobody knows what stands: the people are looked at again, and what was thought of their numbers
/// is held to what is found then.
void Derivation::doubt(const Writes& writes) {
    is_doubted_ = true;
    for (const Writes::Move& each : writes.moves) {
        doubted_.push_back(each.number);
    }
    for (const auto& [segment, last] : writes.told) {
        last_changes_.erase(segment);
        untold_.insert(segment);
    }
}

void Derivation::move(const Writes& writes, std::set<sets::Number>& seen) {
    for (const auto& [segment, last] : writes.told) {
        last_changes_[segment] = last;
    }
    const Changing changing{*this};
    for (const Writes::Move& each : writes.moves) {
        if (fits_) {
            for (const std::int64_t segment : without(each.before, each.now)) {
                sets_.remove(segment, each.number);
            }
            for (const std::int64_t segment : without(each.now, each.before)) {
                sets_.add(segment, each.number);
            }
        }
        if (each.now.empty()) {
            sets_.give_back(each.number);
        } else if (is_doubted_) {
            seen.insert(each.number);
        }
        if (is_doubted_ && fits_) {
            sets_.keep_only(each.number, each.now);
            for (const std::int64_t segment : each.now) {
                sets_.add(segment, each.number);
            }
        }
    }
    sets_.book();
    fits_ = fits_ && fit(sets_);
}

/// All people whom a write was about that failed were looked at again.
void Derivation::settle_doubts(const std::set<sets::Number>& seen) {
    if (!is_doubted_) {
        return;
    }
    const Changing changing{*this};
    for (const sets::Number each : doubted_) {
        if (!seen.contains(each)) {
            sets_.keep_only(each, {});
            sets_.give_back(each);
        }
    }
    doubted_.clear();
    is_doubted_ = false;
    sets_.book();
}

/// Where sets do not fit half of the people are left out, until what is told are estimates of few.
/// False: not even then. Rows go on, and nobody is told numbers.
bool Derivation::fit(PeopleSets& sets) {
    while (options_.memory != nullptr && sets.bytes() > options_.memory->bytes()) {
        options_.memory->note_short();
        needed_ = sets.bytes();
        if (!sets.thin()) {
            sets.drop_all();
            return false;
        }
        sets.book();
    }
    return true;
}

/// Whether sets would fit with twice as many people, or at all, and a quarter more.
bool Derivation::has_room() const {
    const std::size_t wanted = !fits_ ? needed_ : sets_.one_of() != 1 ? 2 * sets_.bytes() : 0;
    return options_.memory != nullptr && wanted != 0 &&
           options_.memory->bytes() > wanted + wanted / 4;
}

}  // namespace footfall::segments
