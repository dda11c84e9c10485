#include "identities/row_check.h"

#include "foundation/log.h"
#include "identities/expiry_rows.h"
#include "identities/index_check.h"
#include "identities/lifetime.h"
#include "identities/profile_differences.h"
#include "identities/profile_rows.h"
#include "identities/said_facts.h"
#include "identities/schema.h"
#include "identities/settling.h"
#include "identities/sid.h"
#include "storage/blocking.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

namespace footfall::identities {
namespace {

constexpr std::size_t differences_max = 1000;
constexpr std::size_t seen_max = 8'000'000;
/// Ids whose components are read side by side.
constexpr std::size_t ids_at_once = 64;
/// How often what differs is looked at again: who writes facts writes their profiles next.
constexpr int looks_max = 20;

// Of identity_fact, and of all that begin with a sid.
constexpr std::size_t name_of_fact_column = 3;
constexpr std::size_t named_sid_column = 0;

}  // namespace

template <class Take>
Result<void> RowCheck::scan(const storage::Table& table, const Take& take) {
    storage::ScanQuery query{.table = &table, .max_bytes = 1 << 20};
    do {
        if (options_.stop.stop_requested()) {
            return fail(ErrorKind::cancelled, "the comparison was stopped");
        }
        TRY(const storage::Page page, storage::scan_page(*store_, query));
        TRY_VOID(take(page.rows));
        query.continuation = page.continuation;
        rows_ += page.rows.size();
        if (options_.progress) {
            options_.progress(rows_);
        }
    } while (!query.continuation.empty());
    return {};
}

Result<void> RowCheck::run(const std::function<Result<void>()>& wait) {
    TRY(guards_, newest_guards(*store_, std::make_shared<const Guards>()));
    TRY(follows_guards_, is_settled_anew(*store_, guards_.version));
    TRY_VOID(read_noted());
    if (!follows_guards_) {
        differences_.push_back(fmt::format(
            "guards of version {} are not worked off yet, so profiles were not held to facts: "
            "verify again once footfall_identities_settling_anew_parts of a server is 0",
            guards_.version.version
        ));
    }
    TRY_VOID(scan(identity_fact_table, [&](const auto& rows) { return check_facts(rows); }));
    TRY_VOID(scan(profile_index_table, [&](const auto& rows) { return check_index(rows); }));
    TRY_VOID(scan(profile_table, [&](const auto& rows) { return check_profile_rows(rows); }));
    TRY_VOID(scan(sid_anchor_table, [&](const auto& rows) { return check_anchors(rows); }));
    TRY_VOID(scan(fact_anchor_table, [&](const auto& rows) { return check_fact_anchors(rows); }));
    TRY_VOID(look_again(wait));
    if (being_settled_ > 0) {
        log(LogLevel::info,
            "identities: profiles of which a statement ended of late are still to be settled by a "
            "server, and were not held to facts");
    }
    return {};
}

/// Each is to be looked at again where it differs now.
Result<void> RowCheck::suspect(Look look) {
    TRY(const Differences found, look());
    if (!found.empty() && suspects_.size() < differences_max) {
        suspects_.push_back(std::move(look));
    }
    return {};
}

Result<void> RowCheck::look_again(const std::function<Result<void>()>& wait) {
    Differences found;
    for (int look = 0; look < looks_max && !suspects_.empty(); ++look) {
        TRY_VOID(wait());
        TRY_VOID(read_noted());
        found.clear();
        std::vector<Look> left;
        for (Look& each : suspects_) {
            TRY(Differences told, each());
            if (!told.empty()) {
                std::ranges::move(told, std::back_inserter(found));
                left.push_back(std::move(each));
            }
        }
        suspects_ = std::move(left);
    }
    // What hangs together may have been looked at by several of its ids.
    std::set<std::string> told;
    for (std::string& each : found) {
        if (differences_.size() < differences_max && told.insert(each).second) {
            differences_.push_back(std::move(each));
        }
    }
    return {};
}

/// A page of them together: only what differs is looked at by itself.
Result<void> RowCheck::check_facts(const storage::Rows& rows) {
    std::vector<FactRow> facts;
    std::vector<FactPlace> places;
    std::vector<std::vector<storage::Value>> names;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        auto read = read_fact_row(rows, row);
        if (!read) {
            TRY_VOID(suspect([said = Differences{read.error().message}] {
                return Result<Differences>{said};
            }));
            continue;
        }
        for (const Id& each : holders_of(read->told.fact)) {
            places.push_back(
                {.holder = each, .fact = read->told.fact.id, .writer = read->told.writer}
            );
        }
        names.push_back({rows.at(row, name_of_fact_column).owned()});
        facts.push_back(*std::move(read));
    }
    TRY(const auto copies, read_places(*store_, places));
    std::vector<bool> is_suspect(facts.size());
    TRY_VOID(storage::for_each_missing(*store_, fact_anchor_table, names, [&](std::size_t at) {
        is_suspect[at] = true;
    }));
    auto copy = copies.begin();
    std::vector<Id> ids;
    for (std::size_t at = 0; at < facts.size(); ++at) {
        const Fact& fact = facts[at].told.fact;
        const std::vector<Id> holders = holders_of(fact);
        const auto end = copy + static_cast<std::ptrdiff_t>(holders.size());
        const bool is_same = std::all_of(copy, end, [&](const auto& each) { return each == fact; });
        copy = end;
        Fact sealed = fact;
        seal(sealed);
        if (is_suspect[at] || !is_same || sealed.id != fact.id || names_erased(fact) ||
            std::ranges::find(holders, facts[at].holder) == holders.end()) {
            TRY_VOID(suspect([this, row = facts[at]] { return look_at_fact(row); }));
        }
        std::ranges::move(ids_of(fact), std::back_inserter(ids));
        ids.push_back(facts[at].holder);
    }
    return see(std::move(ids));
}

bool RowCheck::names_erased(const Fact& fact) const {
    return options_.ledger != nullptr && std::ranges::any_of(ids_of(fact), [&](const Id& each) {
               return options_.ledger->drops(each, fact.recorded);
           });
}

Result<RowCheck::Differences> RowCheck::look_at_fact(const FactRow& row) const {
    const Fact& fact = row.told.fact;
    const std::string name =
        fmt::format("fact {} under {}", text_of(fact.id), object_of(row.holder));
    Fact sealed = fact;
    seal(sealed);
    if (sealed.id != fact.id) {
        return Differences{fmt::format("{}: it says something else than its name does", name)};
    }
    const std::vector<Id> holders = holders_of(fact);
    if (std::ranges::find(holders, row.holder) == holders.end()) {
        return Differences{fmt::format("{}: it does not belong there", name)};
    }
    Differences found;
    std::vector<FactPlace> places;
    places.reserve(holders.size());
    for (const Id& each : holders) {
        places.push_back({.holder = each, .fact = fact.id, .writer = row.told.writer});
    }
    TRY(const auto copies, read_places(*store_, places));
    const auto own = std::ranges::find(holders, row.holder) - holders.begin();
    const bool is_there = copies[static_cast<std::size_t>(own)].has_value();
    if (!is_there && options_.ledger != nullptr && !options_.ledger->empty()) {
        return found;  // it was erased meanwhile
    }
    if (names_erased(fact)) {
        found.push_back(fmt::format(
            "fact {}: it names somebody who was erased; a server with an open receipt takes it out",
            text_of(fact.id)
        ));
    }
    for (std::size_t at = 0; at < holders.size(); ++at) {
        if (!copies[at]) {
            found.push_back(fmt::format(
                "fact {} has a row under {} and none under {}",
                text_of(fact.id),
                object_of(row.holder),
                object_of(holders[at])
            ));
        } else if (copies[at] != copies[static_cast<std::size_t>(own)]) {
            found.push_back(fmt::format(
                "fact {}: its rows under {} and {} differ",
                text_of(fact.id),
                object_of(std::min(row.holder, holders[at])),
                object_of(std::max(row.holder, holders[at]))
            ));
        }
    }
    TRY(const auto by_name, find_fact(*store_, fact.id));
    if (!by_name) {
        found.push_back(fmt::format("{}: it is not found by its name", name));
    }
    return found;
}

/// Takes those that were not seen yet.
Result<void> RowCheck::see(std::vector<Id> ids) {
    if (!follows_guards_) {
        return {};
    }
    if (seen_.size() > seen_max) {
        seen_.clear();
        sound_.clear();
    }
    std::erase_if(ids, [&](const Id& each) { return !seen_.insert(hash_of(each)).second; });
    ids_ += ids.size();
    for (std::size_t at = 0; at < ids.size(); at += ids_at_once) {
        const auto begin = ids.begin() + static_cast<std::ptrdiff_t>(at);
        const std::size_t some = std::min(ids_at_once, ids.size() - at);
        TRY_VOID(check_components({begin, begin + static_cast<std::ptrdiff_t>(some)}));
    }
    return {};
}

/// As resolve() has it of all that hangs together. Once that is too much anywhere, ids are held to
/// the facts of their profiles and of those beside them, which comes to the same where all profiles
/// are sound (neighbourhood.h): to read as much for each id of a hairball would take for ever.
Result<void> RowCheck::check_components(std::vector<Id> ids) {
    if (has_large_) {
        return check_neighbourhoods(std::move(ids));
    }
    const Result<Component> component = read_component(*store_, ids, options_.facts_max);
    if (component || component.error().kind == ErrorKind::corrupt) {
        if (component) {
            for (const Id& each : component->ids) {
                ids_ += seen_.insert(hash_of(each)).second ? 1 : 0;
            }
        }
        return suspect([this, ids = std::move(ids)] { return look_at_components(ids); });
    }
    if (component.error().kind != ErrorKind::conflict) {
        return std::unexpected(component.error());
    }
    has_large_ = true;
    return check_components(std::move(ids));
}

/// All ids of a profile that stands are done with. Halves where too much is beside all of them.
Result<void> RowCheck::check_neighbourhoods(std::vector<Id> ids) {
    std::erase_if(ids, [&](const Id& each) { return sound_.contains(hash_of(each)); });
    if (ids.empty()) {
        return {};
    }
    const auto known = stands(ids);
    if (const auto sound = known.value_or(std::nullopt)) {
        for (const Id& each : sound->open) {
            sound_.insert(hash_of(each));
        }
        return {};
    }
    if (!known && known.error().kind == ErrorKind::conflict && ids.size() > 1) {
        const auto middle = ids.begin() + static_cast<std::ptrdiff_t>(ids.size() / 2);
        TRY_VOID(check_neighbourhoods({ids.begin(), middle}));
        return check_neighbourhoods({middle, ids.end()});
    }
    return suspect([this, ids = std::move(ids)] { return look_at_neighbourhoods(ids); });
}

Instant RowCheck::now() const {
    return options_.clock == nullptr ? Instant::min() : options_.clock->now();
}

/// Whoever settled one may have a clock that is ahead.
Result<bool> RowCheck::is_being_settled(const Facts& facts) const {
    if (options_.clock == nullptr) {
        return false;
    }
    const Instant now = options_.clock->now() + clocks_differ_max;
    for (const auto& [id, fact] : facts) {
        if (const auto end = end_of(*guards_.guards, fact); end && *end <= now) {
            TRY(const bool is_due, has_expiry(*store_, id, *end));
            if (is_due) {
                ++being_settled_;
                return true;
            }
        }
    }
    return false;
}

/// Halves where rows do not stand, or too much is beside, until it is one id of which this can be
/// said.
Result<RowCheck::Differences> RowCheck::look_at_neighbourhoods(std::span<const Id> ids) const {
    const auto known = stands(ids);
    if (known && *known) {
        return Differences{};
    }
    if (!known && known.error().kind != ErrorKind::conflict &&
        known.error().kind != ErrorKind::corrupt) {
        return std::unexpected(known.error());
    }
    if (ids.size() == 1) {
        const auto around = settling(options_.facts_max).know(ids);
        TRY(const bool is_due, around ? is_being_settled(around->facts) : Result<bool>{false});
        TRY(const bool is_noted, is_beside_noted(ids.front()));
        if (is_due || is_noted) {
            return Differences{};
        }
        return Differences{fmt::format(
            "{}: {}",
            object_of(ids.front()),
            known ? "the rows of its profile, or of one beside it, are not those of the facts"
                  : known.error().message
        )};
    }
    const std::size_t half = ids.size() / 2;
    TRY(Differences all, look_at_neighbourhoods(ids.first(half)));
    TRY(Differences second, look_at_neighbourhoods(ids.subspan(half)));
    std::ranges::move(second, std::back_inserter(all));
    return all;
}

Result<RowCheck::Differences> RowCheck::look_at_components(std::span<const Id> ids) const {
    auto found = profile_differences(
        *store_,
        {.names = names(),
         .guards = guards_.guards.get(),
         .facts_max = options_.facts_max,
         .now = now()},
        ids
    );
    if (found && !found->empty() && any_ends(*guards_.guards)) {
        const auto component = read_component(*store_, ids, options_.facts_max);
        TRY(const bool is_due,
            component ? is_being_settled(component->facts) : Result<bool>{false});
        if (is_due) {
            return Differences{};
        }
    }
    if (!found && found.error().kind == ErrorKind::corrupt) {
        return Differences{fmt::format(
            "what is stored of {} cannot be read: {}", object_of(ids.front()), found.error().message
        )};
    }
    if (!found && found.error().kind == ErrorKind::conflict) {
        return Differences{};  // it has grown meanwhile
    }
    if (found && !found->empty()) {
        TRY(const bool is_noted, hangs_with_noted(ids));
        return is_noted ? Differences{} : *std::move(found);
    }
    return found;
}

Result<void> RowCheck::check_profile_rows(const storage::Rows& rows) {
    std::set<std::string> sids;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        sids.insert(read_sid(rows.at(row, named_sid_column).text()));
    }
    std::set<std::string> led_to;
    if (const auto profiles = read_profiles(*store_, sids)) {
        std::vector<Id> ids;
        for (const auto& [sid, members] : *profiles) {
            ids.push_back(members.front().id);
        }
        TRY(const Index index, read_index(*store_, ids));
        for (const auto& [id, entry] : index) {
            led_to.insert(entry.sid);
        }
    }
    for (const std::string& each : sids) {
        if (!led_to.contains(each)) {
            TRY_VOID(suspect([this, each] { return look_at_profile(each); }));
        }
    }
    return {};
}

Result<void> RowCheck::check_index(const storage::Rows& rows) {
    TRY(const LevelsSeen levels, IndexLevels{*store_}.newest());
    std::vector<IndexRow> read;
    std::vector<Id> ids;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        read.push_back(read_index_row(rows, row));
        ids.push_back(read.back().id);
    }
    TRY(const Index index, read_index(*store_, *levels, ids, IndexPlaces::all));
    for (const IndexRow& each : suspicious_places(*levels, read, index)) {
        TRY_VOID(suspect([this, each] { return place_differences(*store_, each); }));
    }
    return see(std::move(ids));
}

/// What the rows of a profile say is held to facts by the ids that lead to it: here it counts that
/// one does.
Result<RowCheck::Differences> RowCheck::look_at_profile(const std::string& sid) const {
    const auto profiles = read_profiles(*store_, {sid});
    if (!profiles) {
        return profiles.error().kind == ErrorKind::corrupt
                   ? Result<Differences>{Differences{
                         fmt::format("profile {}: {}", sid, profiles.error().message)
                     }}
                   : std::unexpected(profiles.error());
    }
    std::vector<Id> ids;
    for (const auto& [name, members] : *profiles) {
        for (const Member& each : members) {
            ids.push_back(each.id);
        }
    }
    TRY(const Index index, read_index(*store_, ids));
    const bool is_led_to =
        std::ranges::any_of(index, [&](const auto& entry) { return entry.second.sid == sid; });
    return profiles->empty() || is_led_to || has_noted(ids)
               ? Differences{}
               : Differences{fmt::format("profile {}: no id of it leads to it", sid)};
}

}  // namespace footfall::identities
