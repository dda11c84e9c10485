#include "identities/moved_profiles.h"
#include "identities/schema.h"
#include "segment_events/filling.h"
#include "segments/derivation.h"
#include "segments/schema.h"
#include "storage/blocking.h"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

namespace footfall::segments {

Derivation::Derivation(
    storage::Store& store,
    const identities::Settling& settling,
    Catalogue& catalogue,
    RuleBook& book,
    const Clock& clock,
    Options options
)
    : store_{&store},
      settling_{&settling},
      catalogue_{&catalogue},
      book_{&book},
      clock_{&clock},
      options_{options},
      moved_notes_{store, identities::profile_moved_table, options.shared},
      noted_{store, segment_noted_table, options.shared},
      expiries_{store, Instant{}} {}

Derivation::~Derivation() {
    end();
}

Result<void> Derivation::follow() {
    if (follows_) {
        return {};
    }
    const std::lock_guard lock{follow_mutex_};
    if (!follows_) {
        TRY_VOID(settling_->moved().follow(
            [this](const identities::MovedProfiles::Names& sids, Instant since) {
                tell_moved(sids, since);
            }
        ));
        follows_ = true;
    }
    return {};
}

/// What is told from now on waits, and what was noted before is read.
Result<void> Derivation::begin() {
    end();
    TRY_VOID(store_->write_after_others());
    is_here_ = true;
    auto begun = [&]() -> Result<void> {
        TRY_VOID(refresh_segments());
        untold_ = live_;
        if (options_.shared || !live_.empty()) {
            TRY_VOID(follow());
        }
        TRY(rules_, book_->now());
        TRY(filled_, read_filled(*store_));
        in_force_ = filled_;
        TRY_VOID(read_sets());
        return read_where_to_begin();
    }();
    if (begun) {
        is_ready_ = true;
    } else {
        end();
    }
    return begun;
}

void Derivation::end() {
    if (follows_.exchange(false)) {
        settling_->moved().stop_telling();
    }
    is_ready_ = false;
    is_here_ = false;
    {
        const std::lock_guard lock{waiting_mutex_};
        waiting_ = {};
        unheard_ids_.reset();
        unheard_moved_.reset();
        waiting_count_ = 0;
    }
    live_.clear();
    dead_.clear();
    last_changes_.clear();
    untold_.clear();
    failed_ = {};
    is_doubted_ = false;
    doubted_.clear();
    ids_ = {};
    moved_notes_ = NotesFollowed{*store_, identities::profile_moved_table, options_.shared};
    noted_ = NotesFollowed{*store_, segment_noted_table, options_.shared};
    all_.reset();
    taking_.reset();
    dropped_members_.clear();
    has_dropped_ = true;
    const Changing changing{*this};
    sets_ = {};
    fits_ = true;
}

Result<void> Derivation::refresh_segments() {
    TRY(const std::vector<Segment> all, Catalogue::read_all(*store_));
    live_.clear();
    for (const Segment& each : all) {
        live_.insert(each.number);
    }
    return {};
}

/// Rows of segments that were dropped may name them still.
Result<void> Derivation::read_sets() {
    constexpr std::size_t people_a_page = 10'000;
    PeopleSets sets;
    bool fits = true;
    storage::ScanQuery query{.table = &segment_person_table, .max_rows = people_a_page};
    do {
        TRY(storage::Page page, storage::scan_page(*store_, query));
        for (std::size_t row = 0; row < page.rows.size(); ++row) {
            TRY(const auto person, read_person(page.rows, row));
            const auto number = static_cast<sets::Number>(person.second.number);
            sets.use_number(number);
            for (const std::int64_t segment : person.second.segments) {
                if (fits && live_.contains(segment)) {
                    sets.add(segment, number);
                }
            }
        }
        sets.book();
        fits = fits && fit(sets);
        query.continuation = std::move(page.continuation);
    } while (!query.continuation.empty());
    sets.find_free();
    sets.book();
    const Changing changing{*this};
    sets_ = std::move(sets);
    fits_ = fits;
    return {};
}

/// Who was away for longer than notes count looks at everything.
Result<void> Derivation::read_where_to_begin() {
    const Instant now = clock_->now();
    TRY(const std::optional<Instant> until, read_derived_until(*store_));
    Instant from = now - notes_settled;
    if (until) {
        from = std::min(*until, now);
    } else if (!live_.empty()) {
        from = now - identities::notes_life;
    }
    if (from < now - identities::notes_life) {
        from = now - identities::notes_life;
        all_ = LookingAtAll{.segments = {live_.begin(), live_.end()}};
    }
    moved_notes_.follow_from(from, now);
    noted_.follow_from(from, now);
    expiries_ = ExpiryWalk{*store_, from};
    for (std::atomic<Instant::rep>* const each : {&moved_until_, &noted_until_, &expired_until_}) {
        *each = from.time_since_epoch().count();
    }
    saved_ = {};
    if (until) {
        return {};
    }
    storage::Batch batch;
    add_derived_until(from, batch);
    return storage::write_durably(*store_, batch);
}

/// Where who was killed had told changes whose ids' rows do not follow them yet, they do now.
Result<std::uint64_t> Derivation::last_change(std::int64_t segment) {
    constexpr std::size_t changes_at_once = 1000;
    if (const auto known = last_changes_.find(segment); known != last_changes_.end()) {
        return known->second;
    }
    TRY(std::uint64_t last, read_told_until(*store_, segment));
    std::map<identities::Id, Change> of_ids;
    for (;;) {
        TRY(std::vector<Change> changes, read_changes(*store_, segment, last, changes_at_once));
        if (changes.empty()) {
            break;
        }
        last = changes.back().number;
        for (Change& each : changes) {
            if (each.is_erased()) {
                continue;  // what was told of it is gone by then
            }
            identities::Id id = each.id;
            of_ids.insert_or_assign(std::move(id), std::move(each));
        }
    }
    storage::Batch batch;
    for (const auto& [id, change] : of_ids) {
        if (change.joined) {
            add_told(id, segment, change.number, batch);
        } else {
            erase_told(id, segment, batch);
        }
    }
    if (!batch.empty()) {
        TRY_VOID(storage::write_durably(*store_, batch));
    }
    last_changes_[segment] = last;
    return last;
}

/// What may still come behind it is read again.
Result<void> Derivation::save_until(Instant now) {
    constexpr std::chrono::seconds period{10};
    if (now - saved_ < period || all_ || !failed_.empty()) {
        return {};
    }
    const Instant until = std::min(
        {moved_notes_.answered_until(now), noted_.answered_until(now), expiries_.at(), as_of()}
    );
    storage::Batch batch;
    add_derived_until(until, batch);
    TRY_VOID(storage::write_durably(*store_, batch));
    saved_ = now;
    return {};
}

}  // namespace footfall::segments
