#include "segments/erasing.h"

#include "identities/stored_ids.h"
#include "identities/stored_instant.h"
#include "identities/timed_notes.h"
#include "segment_events/schema.h"
#include "segment_rules/latest_events.h"
#include "segment_rules/rule.h"
#include "segments/catalogue.h"
#include "segments/derived_rows.h"
#include "segments/member_rows.h"
#include "segments/schema.h"
#include "storage/blocking.h"

#include <algorithm>
#include <utility>

namespace footfall::segments {
namespace {

using erasure::Swept;

/// Ids that are looked at, and remembered, together: more are found by the next sweep.
constexpr std::size_t looked_at_together = 20'000;
constexpr std::size_t remembered_max = 100'000;
/// An id may have been told to have joined by a look that began before it was erased.
constexpr std::chrono::seconds look_takes{60};
/// What is derived is not to be further behind than what was erased before a sweep begins.
constexpr std::chrono::milliseconds derived_behind{1500};
constexpr std::chrono::seconds others_behind{5};
constexpr std::size_t changes_a_page = 1000;

Result<void> may_go_on(const std::stop_token& stop) {
    return stop.stop_requested() ? fail(ErrorKind::cancelled, "erasing is to end") : Result<void>{};
}

identities::Id id_of_row(const storage::Rows& rows, std::size_t row, std::size_t column) {
    const auto text = [&](std::size_t part) {
        return std::string{rows.at(row, column + part).text()};
    };
    return {text(0), text(1), text(2)};
}

}  // namespace

/// Calls `take(rows, row, batch)` with each row of a table, and writes what it asks for.
template <class Take>
Result<void> Erasing::for_rows(
    const storage::Table& table, const std::stop_token& stop, const Take& take
) {
    storage::ScanQuery query{.table = &table, .max_bytes = 1 << 20};
    do {
        TRY_VOID(may_go_on(stop));
        TRY(storage::Page page, storage::scan_page(*store_, query));
        storage::Batch batch;
        for (std::size_t row = 0; row < page.rows.size(); ++row) {
            TRY_VOID(take(page.rows, row, batch));
        }
        if (!batch.empty()) {
            TRY_VOID(storage::write_durably(*store_, batch));
        }
        query.continuation = std::move(page.continuation);
    } while (!query.continuation.empty());
    return {};
}

Result<erasure::Swept> Erasing::sweep(const std::stop_token& stop) {
    if (ledger_->empty()) {
        return Swept::done;
    }
    found_.clear();
    is_open_ = false;
    const Instant begun = clock_->now();
    TRY_VOID(erase_members(stop));
    TRY_VOID(erase_segments_of_ids(stop));
    TRY_VOID(erase_what_they_did(stop));
    if (!segments_->is_derived_here()) {
        asked_.clear();
        return Swept::elsewhere;
    }
    const Instant as_of = segments_->figures().as_of;
    if (as_of + (segments_->is_shared() ? others_behind : derived_behind) < begun) {
        return Swept::open;  // a look may be under way that read who is erased since
    }
    TRY_VOID(find_told(stop));
    if (asked_.size() > remembered_max) {
        std::erase_if(asked_, [&](const auto& each) { return !found_.contains(each.first); });
    }
    std::erase_if(found_, [&](const Id& each) { return is_looked_at(each, as_of); });
    if (is_open_ || !found_.empty()) {
        look();
        return Swept::open;
    }
    TRY_VOID(erase_notes(stop));
    TRY_VOID(erase_from_changes(stop));
    TRY_VOID(for_rows(
        segment_dropped_table,
        stop,
        [&](const storage::Rows& /*rows*/, std::size_t /*row*/, storage::Batch& /*batch*/) {
            is_open_ = true;  // who derives is clearing away its members and changes
            return Result<void>{};
        }
    ));
    std::erase_if(found_, [&](const Id& each) { return is_looked_at(each, as_of); });
    look();
    if (!is_open_) {
        asked_.clear();
        one_sided_.clear();
    }
    return is_open_ ? Swept::open : Swept::done;
}

void Erasing::find(const Id& id) {
    if (found_.size() < looked_at_together) {
        found_.insert(id);
    } else {
        is_open_ = true;
    }
}

/// Has what was found be looked at.
void Erasing::look() {
    if (found_.empty()) {
        return;
    }
    is_open_ = true;
    const std::vector<Id> ids{found_.begin(), found_.end()};
    if (!segments_->look_at(ids)) {
        return;  // much waits: they are found again
    }
    const Instant now = clock_->now();
    for (const Id& each : ids) {
        asked_[each] = {.erased = ledger_->find(each).value_or(erasure::Erased{}).at, .at = now};
    }
}

/// Whether a look that began after this id was erased is over: what rows say of it is of somebody
/// new.
bool Erasing::is_looked_at(const Id& id, Instant as_of) const {
    const auto asked = asked_.find(id);
    return asked != asked_.end() && asked->second.at < as_of &&
           asked->second.erased == ledger_->find(id).value_or(erasure::Erased{}).at;
}

Result<void> Erasing::erase_members(const std::stop_token& stop) {
    constexpr std::size_t id_column = 2;
    constexpr std::size_t since_column = 6;
    return for_rows(
        segment_member_table,
        stop,
        [&](const storage::Rows& rows, std::size_t row, storage::Batch& batch) {
            const Id id = id_of_row(rows, row, id_column);
            const Instant since = identities::instant_of(rows.at(row, since_column).number());
            if (ledger_->drops(id, since)) {
                erase_member(rows.at(row, 0).number(), id, batch);
                find(id);
            }
            return Result<void>{};
        }
    );
}

/// Whoever counts may be about to write again what it has read: only a sweep that finds nothing is
/// the last one.
Result<void> Erasing::erase_what_they_did(const std::stop_token& stop) {
    constexpr std::size_t events_column = 5;
    return for_rows(
        segment_events::segment_did_table,
        stop,
        [&](const storage::Rows& rows, std::size_t row, storage::Batch& batch) -> Result<void> {
            const Id id = id_of_row(rows, row, 0);
            if (!ledger_->find(id)) {
                return {};
            }
            TRY(const auto events,
                segment_rules::LatestEvents::read(
                    rows.at(row, events_column).text(), segment_rules::times_max
                ));
            segment_rules::LatestEvents kept{segment_rules::times_max};
            for (const segment_rules::EventMark& each : events.marks()) {
                if (!ledger_->drops(id, each.time)) {
                    kept.add(each);
                }
            }
            if (kept == events) {
                return {};
            }
            std::vector<storage::ValueView> values;
            values.reserve(rows.table().width());
            for (std::size_t column = 0; column < events_column; ++column) {
                values.push_back(rows.at(row, column));
            }
            const std::string bytes = kept.bytes();
            if (kept.marks().empty()) {
                batch.erase(segment_events::segment_did_table, values);
            } else {
                values.emplace_back(std::string_view{bytes});
                values.push_back(rows.at(row, events_column + 1));
                batch.upsert(segment_events::segment_did_table, values);
            }
            find(id);
            is_open_ = true;
            return {};
        }
    );
}

/// Those that no member stands beside. One that is being written has the other row in a moment.
Result<void> Erasing::erase_segments_of_ids(const std::stop_token& stop) {
    constexpr std::size_t segment_column = 3;
    std::set<std::pair<std::int64_t, Id>> one_sided;
    TRY_VOID(for_rows(
        segment_of_table,
        stop,
        [&](const storage::Rows& rows, std::size_t row, storage::Batch& batch) -> Result<void> {
            const Id id = id_of_row(rows, row, 0);
            if (!ledger_->find(id)) {
                return {};
            }
            const std::int64_t segment = rows.at(row, segment_column).number();
            TRY(const auto member,
                storage::read_one(
                    *store_,
                    segment_member_table,
                    {segment, bucket_of(id), id.identifier, id.id_name, id.id_value}
                ));
            if (member) {
                return {};
            }
            find(id);
            if (one_sided_.contains({segment, id})) {
                erase_member(segment, id, batch);
            } else if (one_sided.size() < looked_at_together) {
                one_sided.emplace(segment, id);
            }
            is_open_ = true;
            return {};
        }
    ));
    one_sided_ = std::move(one_sided);
    return {};
}

/// Ids of which something was told, or that are a person alone.
Result<void> Erasing::find_told(const std::stop_token& stop) {
    TRY_VOID(for_rows(
        segment_told_table,
        stop,
        [&](const storage::Rows& rows, std::size_t row, storage::Batch& /*batch*/) {
            if (const Id id = id_of_row(rows, row, 0); ledger_->find(id)) {
                find(id);
            }
            return Result<void>{};
        }
    ));
    return for_rows(
        segment_person_table,
        stop,
        [&](const storage::Rows& rows, std::size_t row, storage::Batch& /*batch*/) -> Result<void> {
            TRY(const auto person, read_person(rows, row));
            if (person.second.alone && ledger_->find(*person.second.alone)) {
                find(*person.second.alone);
            }
            return {};
        }
    );
}

/// Notes of others stay, those of whom was erased have been followed.
Result<void> Erasing::erase_notes(const std::stop_token& stop) {
    enum Column : std::size_t { at_column = 1, token_column, ids_column };

    return for_rows(
        segment_noted_table,
        stop,
        [&](const storage::Rows& rows, std::size_t row, storage::Batch& batch) -> Result<void> {
            const Instant at = identities::instant_of(rows.at(row, at_column).number());
            TRY(std::vector<Id> ids, identities::read_stored_ids(rows.at(row, ids_column).text()));
            const auto gone =
                std::erase_if(ids, [&](const Id& each) { return ledger_->drops(each, at); });
            if (gone > 0 && ids.empty()) {
                batch.erase(
                    segment_noted_table,
                    {rows.at(row, 0).number(),
                     rows.at(row, at_column).number(),
                     rows.at(row, token_column).number()}
                );
            } else if (gone > 0) {
                add_noted_ids(at, rows.at(row, token_column).number(), ids, batch);
            }
            return {};
        }
    );
}

Result<void> Erasing::erase_from_changes(const std::stop_token& stop) {
    TRY(const std::vector<Segment> segments, Catalogue::read_all(*store_));
    TRY(Hearers hearers, read_hearers_());
    for (const Segment& each : segments) {
        Walk walk{.segment = each.number, .hearers = hearers[each.number]};
        std::uint64_t last = 0;
        for (;;) {
            TRY_VOID(may_go_on(stop));
            TRY(const std::vector<Change> changes,
                read_changes(*store_, each.number, last, changes_a_page));
            if (changes.empty()) {
                break;
            }
            for (const Change& change : changes) {
                TRY_VOID(walk_over(change, walk));
            }
            last = changes.back().number;
        }
        if (!walk.batch.empty()) {
            TRY_VOID(storage::write_durably(*store_, walk.batch));
        }
        for (const auto& [id, change] : walk.joined) {
            find(id);
        }
    }
    return {};
}

/// An id loses its name where it joined and where it left, once it did both. Where it left alone
/// stands an earlier sweep has ended in between.
Result<void> Erasing::walk_over(const Change& change, Walk& walk) {
    if (change.is_erased()) {
        return {};
    }
    const auto erased = ledger_->find(change.id);
    if (!erased) {
        return {};
    }
    if (change.joined) {
        if (change.at <= erased->at + look_takes) {
            walk.joined.insert_or_assign(change.id, change);
        } else {
            walk.is_new.insert(change.id);
        }
        return {};
    }
    if (walk.is_new.contains(change.id)) {
        return {};
    }
    if (!is_told(change, walk)) {
        is_open_ = true;
        walk.joined.erase(change.id);
        return {};
    }
    if (const auto joined = walk.joined.find(change.id); joined != walk.joined.end()) {
        TRY_VOID(take_id_out(joined->second, walk));
        walk.joined.erase(joined);
    }
    return take_id_out(change, walk);
}

/// Whether all who follow could hear of it.
bool Erasing::is_told(const Change& change, const Walk& walk) const {
    return clock_->now() >= change.at + erased_told_for &&
           std::ranges::none_of(walk.hearers, [&](const Hearer& each) {
               return each.after < change.number &&
                      (each.network.empty() || each.network == change.id.identifier);
           });
}

Result<void> Erasing::take_id_out(Change change, Walk& walk) {
    constexpr std::size_t changes_a_write = 1000;
    change.id.id_value.clear();
    add_change(walk.segment, change, walk.batch);
    if (walk.batch.size() < changes_a_write) {
        return {};
    }
    TRY_VOID(storage::write_durably(*store_, walk.batch));
    walk.batch.clear();
    return {};
}

}  // namespace footfall::segments
