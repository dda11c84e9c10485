#include "segments/derivation.h"

#include "foundation/memory_cost.h"
#include "identities/moved_profiles.h"
#include "identities/schema.h"
#include "identities/stored_ids.h"
#include "segments/schema.h"
#include "storage/blocking.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace footfall::segments {
namespace {

using std::chrono::milliseconds;

/// Ids, or people, of one look: what it has in memory, and reads at once, goes by it.
constexpr std::size_t looked_at_once = 1000;
/// Of members more: a look costs a wait for the disk, and neighbours among many are read together.
constexpr std::size_t members_looked_at_once = 4000;
constexpr std::size_t notes_at_once = 8;
/// From there on each write has to wait (Store::pressure), and some are refused soon.
constexpr double full_pressure = 1;
/// Looks at what moved, before anything else has its turn.
constexpr int moved_in_a_row = 20;
constexpr milliseconds idle_period{50};
/// What other processes do is known here so much later at the most.
constexpr std::chrono::seconds others_delay{2};

}  // namespace

bool Derivation::tell_ids(std::span<const identities::Id> ids, Instant at) {
    if (!is_here_) {
        return false;
    }
    const std::lock_guard lock{waiting_mutex_};
    if (waiting_.ids.size() + ids.size() > options_.waiting_max) {
        unheard_ids_ = std::min(unheard_ids_.value_or(at), at);
        return false;
    }
    waiting_.ids.insert(ids.begin(), ids.end());
    waiting_count_ = waiting_.size();
    return true;
}

void Derivation::tell_moved(const identities::MovedProfiles::Names& sids, Instant since) {
    if (!is_here_) {
        return;
    }
    const std::lock_guard lock{waiting_mutex_};
    if (waiting_.sids.size() + sids.size() > options_.waiting_max) {
        unheard_moved_ = std::min(unheard_moved_.value_or(since), since);
        return;
    }
    waiting_.sids.insert(sids.begin(), sids.end());
    waiting_count_ = waiting_.size();
}

/// What was told was noted before this moment, which is later than that at which the turn began.
std::pair<std::set<std::string>, bool> Derivation::take_moved(std::size_t most) {
    std::set<std::string> sids;
    const std::lock_guard lock{waiting_mutex_};
    while (!waiting_.sids.empty() && sids.size() < most) {
        sids.insert(waiting_.sids.extract(waiting_.sids.begin()));
    }
    if (const std::optional<Instant> from = unheard_moved_; from && waiting_.sids.empty()) {
        unheard_moved_.reset();
        moved_notes_.follow_from(*from, clock_->now());
    }
    waiting_count_ = waiting_.size();
    const bool is_all = waiting_.sids.empty();
    return {std::move(sids), is_all};
}

/// All that wait now: so they are worked off before any that come later.
void Derivation::take_ids(Instant now) {
    const std::lock_guard lock{waiting_mutex_};
    ids_.ids.swap(waiting_.ids);
    ids_since_ = now;
    if (const std::optional<Instant> from = unheard_ids_) {
        unheard_ids_.reset();
        noted_.follow_from(*from, clock_->now());
    }
    waiting_count_ = waiting_.size();
}

/// Small notes are followed together: a look is a durable write. What is taken and cannot be looked
/// at is not lost. Where all that waited was taken numbers are as of when the turn began, however
/// much came meanwhile.
Result<bool> Derivation::step_moved(Instant now) {
    auto [sids, is_all] = take_moved(looked_at_once);
    Asked asked{.sids = std::move(sids), .ids = {}};
    bool is_followed = false;
    while (!is_followed && asked.size() < looked_at_once) {
        const auto notes = moved_notes_.next(now, notes_at_once);
        if (!notes) {
            failed_ = std::move(asked);
            return std::unexpected(notes.error());
        }
        is_followed = notes->empty();
        for (const std::string& each : *notes) {
            for (std::string& sid : identities::read_moved_note(each)) {
                asked.sids.insert(std::move(sid));
            }
        }
    }
    const bool has_some = !asked.empty();
    if (has_some) {
        TRY_VOID(look(std::move(asked)));
    }
    if (is_all && is_followed) {
        const Instant until = options_.shared ? now - others_delay : now;
        moved_until_ = until.time_since_epoch().count();
    }
    return has_some;
}

Result<bool> Derivation::step_noted(Instant now) {
    if (store_->pressure() >= full_pressure) {
        return false;
    }
    if (ids_.ids.empty()) {
        take_ids(now);
    }
    Asked asked;
    while (!ids_.ids.empty() && asked.ids.size() < members_looked_at_once) {
        asked.ids.insert(ids_.ids.extract(ids_.ids.begin()));
    }
    while (asked.ids.size() < members_looked_at_once) {
        const auto notes = noted_.next(now, 1);
        if (!notes) {
            failed_ = std::move(asked);
            return std::unexpected(notes.error());
        }
        if (notes->empty()) {
            break;
        }
        for (const std::string& each : *notes) {
            TRY(std::vector<identities::Id> ids, identities::read_stored_ids(each));
            std::ranges::move(ids, std::inserter(asked.ids, asked.ids.end()));
        }
    }
    const bool has_some = !asked.empty();
    if (has_some) {
        TRY_VOID(look(std::move(asked)));
    }
    if (ids_.ids.empty() && !noted_.is_behind()) {
        const Instant until = options_.shared ? ids_since_ - others_delay : ids_since_;
        noted_until_ = until.time_since_epoch().count();
    }
    return has_some;
}

Result<bool> Derivation::step_expired(Instant now) {
    TRY(const std::vector<std::string> sids, expiries_.next(now, looked_at_once));
    if (!sids.empty()) {
        TRY_VOID(look({.sids = {sids.begin(), sids.end()}, .ids = {}}));
    }
    expired_until_ = std::min(now, expiries_.at()).time_since_epoch().count();
    return !sids.empty();
}

/// People who are in segments, by rows, and all members.
Result<bool> Derivation::step_all() {
    if (!all_) {
        return false;
    }
    Asked asked;
    if (all_->has_people) {
        TRY(storage::Page page,
            storage::scan_page(
                *store_,
                {.table = &segment_person_table,
                 .max_rows = looked_at_once,
                 .continuation = all_->people}
            ));
        for (std::size_t row = 0; row < page.rows.size(); ++row) {
            TRY(auto person, read_person(page.rows, row));
            asked.sids.insert(std::move(person.first));
        }
        all_->people = std::move(page.continuation);
        all_->has_people = !all_->people.empty();
    } else if (!all_->segments.empty()) {
        TRY(Listed<Member> members,
            read_members(*store_, all_->segments.back(), all_->members, looked_at_once));
        for (Member& each : members.rows) {
            asked.ids.insert(std::move(each.id));
        }
        all_->members = std::move(members.cursor);
        if (all_->members.empty()) {
            all_->segments.pop_back();
        }
    } else {
        all_.reset();
        return true;
    }
    TRY_VOID(look(std::move(asked)));
    return true;
}

/// Some members of a segment that was dropped: their people are looked at first, so that who is
/// killed in between finds the members again.
Result<bool> Derivation::step_dropped() {
    constexpr std::chrono::seconds period{5};
    const Instant now = clock_->now();
    if (!has_dropped_ && (!options_.shared || now - dropped_looked_ < period)) {
        return false;
    }
    has_dropped_ = false;
    dropped_looked_ = now;
    TRY(const std::vector<Catalogue::Dropped> dropped, catalogue_->dropped());
    if (dropped.empty()) {
        return false;
    }
    has_dropped_ = true;
    const std::int64_t segment = dropped.front().number;
    TRY_VOID(catalogue_->hide(dropped.front()));
    live_.erase(segment);
    {
        const Changing changing{*this};
        sets_.drop(segment);
        sets_.book();
    }
    TRY(Listed<Member> members, read_members(*store_, segment, dropped_members_, looked_at_once));
    Asked asked;
    storage::Batch batch;
    for (const Member& each : members.rows) {
        asked.ids.insert(each.id);
        erase_member(segment, each.id, batch);
    }
    TRY_VOID(look(std::move(asked)));
    if (!batch.empty()) {
        TRY_VOID(storage::write_durably(*store_, batch));
    }
    dropped_members_ = std::move(members.cursor);
    if (dropped_members_.empty()) {
        TRY_VOID(clear_changes(segment));
        TRY_VOID(catalogue_->forget(dropped.front()));
    }
    return true;
}

std::set<std::int64_t> Derivation::take_news() {
    const std::lock_guard lock{news_mutex_};
    return std::exchange(news_, {});
}

Result<void> Derivation::clear_changes(std::int64_t segment) {
    std::uint64_t last = 0;
    for (;;) {
        TRY(const std::vector<Change> changes,
            read_changes(*store_, segment, last, looked_at_once));
        if (changes.empty()) {
            break;
        }
        storage::Batch batch;
        for (const Change& each : changes) {
            erase_change(segment, each.number, batch);
        }
        TRY_VOID(storage::write_durably(*store_, batch));
        last = changes.back().number;
    }
    last_changes_.erase(segment);
    untold_.erase(segment);
    storage::Batch batch;
    erase_told_until(segment, batch);
    erase_published(segment, batch);
    return storage::write_durably(*store_, batch);
}

Result<milliseconds> Derivation::go_on(const std::stop_token& stop) {
    if (!is_ready_) {
        return fail(ErrorKind::unavailable, "segments are not derived by this process");
    }
    if (options_.memory != nullptr && (!fits_ || sets_.one_of() != 1)) {
        options_.memory->note_short();
    }
    if (has_room()) {
        TRY_VOID(read_sets());
    }
    TRY(rules_, book_->now());
    if (!failed_.empty()) {
        TRY_VOID(look(Asked{failed_}));
    }
    const Instant now = clock_->now();
    bool did_some = false;
    for (int looks = 0; looks < moved_in_a_row && !stop.stop_requested(); ++looks) {
        TRY(const bool more, step_moved(now));
        did_some |= more;
        if (!more) {
            break;
        }
    }
    for (Result<bool> (Derivation::* const step)(Instant) :
         {&Derivation::step_expired, &Derivation::step_noted}) {
        TRY(const bool did, (this->*step)(now));
        did_some |= did;
    }
    for (Result<bool> (Derivation::* const step)() :
         {&Derivation::step_all, &Derivation::step_dropped, &Derivation::step_rules}) {
        TRY(const bool did, (this->*step)());
        did_some |= did;
    }
    TRY_VOID(save_until(now));
    return did_some ? milliseconds{0} : idle_period;
}

Result<void> Derivation::may_ask() const {
    if (!is_ready_) {
        return fail(ErrorKind::unavailable, "numbers of segments are kept by another process");
    }
    if (!fits_) {
        return fail(
            ErrorKind::overloaded, "people of segments take more memory than there is for them"
        );
    }
    return {};
}

Instant Derivation::as_of() const {
    return Instant{std::chrono::microseconds{
        std::min({moved_until_.load(), noted_until_.load(), expired_until_.load()})
    }};
}

Derivation::Figures Derivation::figures() const {
    Figures figures{
        .waiting = waiting_count_, .looked = looked_, .changes = changes_, .as_of = as_of()
    };
    const std::shared_lock lock{sets_mutex_};
    figures.people = sets_.people();
    figures.bytes = sets_.bytes();
    figures.one_of = sets_.one_of();
    return figures;
}

std::pair<std::size_t, std::size_t> Derivation::audit() const {
    const std::shared_lock lock{sets_mutex_};
    return {sets_.bytes(), sets_.recount()};
}

}  // namespace footfall::segments
