#include "segment_events/did_rows.h"

#include "events/erased.h"
#include "events/read_by.h"
#include "segment_events/schema.h"
#include "storage/blocking.h"

#include <utility>

namespace footfall::segment_events {
namespace {

using segment_rules::LatestEvents;

enum DidColumn : std::size_t { term_column = 3, events_column = 5 };

std::int64_t stored(std::uint64_t number) {
    return static_cast<std::int64_t>(number);
}

/// `within` of its term: the row is needed as long as its newest event may be.
void add_did(
    const DidKey& key,
    const LatestEvents& events,
    std::chrono::seconds within,
    storage::Batch& batch
) {
    const Instant newest = events.marks().front().time;
    batch.upsert(
        segment_did_table,
        {key.id.identifier,
         key.id.id_name,
         key.id.id_value,
         stored(key.term),
         key.writer,
         events.bytes(),
         (newest + within).time_since_epoch().count()}
    );
}

}  // namespace

std::optional<Id> id_of(const events::Event& event) {
    // What is left of whom was erased is no name of anybody.
    if (event.action == events::read_action || events::hash_in_place(event.actor)) {
        return std::nullopt;
    }
    if (!event.actor.empty()) {
        return Id{.identifier = "footfall", .id_name = "actor", .id_value = event.actor};
    }
    return event.identifiers.empty() ? std::nullopt : std::optional{event.identifiers.front()};
}

Result<HoldsUntil> read_holds_until(
    storage::Store& store, std::span<const Id> ids, const CountedTerms& terms
) {
    const std::vector<std::size_t> of(ids.size(), 0);
    TRY(std::vector<HoldsUntil> until, read_holds_until_of(store, ids, of, 1, terms));
    return std::move(until.front());
}

Result<std::vector<HoldsUntil>> read_holds_until_of(
    storage::Store& store,
    std::span<const Id> ids,
    std::span<const std::size_t> of,
    std::size_t people,
    const CountedTerms& terms
) {
    std::vector<HoldsUntil> until(people);
    if (terms.empty()) {
        return until;
    }
    std::vector<storage::RangeQuery> queries;
    queries.reserve(ids.size());
    for (const Id& id : ids) {
        queries.push_back(
            {.table = &segment_did_table, .partition = {id.identifier, id.id_name, id.id_value}}
        );
    }
    std::map<std::pair<std::size_t, std::uint64_t>, LatestEvents> events;
    TRY_VOID(storage::read_each(
        store,
        std::move(queries),
        [&](std::size_t at, const storage::Rows& rows) -> Result<void> {
            for (std::size_t row = 0; row < rows.size(); ++row) {
                const auto hash = static_cast<std::uint64_t>(rows.at(row, term_column).number());
                const CountedTerms::Counted* const counted = terms.find(hash);
                if (counted == nullptr) {
                    continue;
                }
                const std::uint32_t times = counted->term.times;
                TRY(const LatestEvents read,
                    LatestEvents::read(rows.at(row, events_column).text(), times));
                events.try_emplace(std::pair{of[at], hash}, times).first->second.add(read);
            }
            return {};
        }
    ));
    for (const auto& [key, latest] : events) {
        if (const auto end = latest.until(terms.find(key.second)->term.within)) {
            until[key.first].emplace(key.second, *end);
        }
    }
    return until;
}

DidRow read_did_row(const storage::Rows& rows, std::size_t row) {
    const auto text = [&](std::size_t column) { return std::string{rows.at(row, column).text()}; };
    return {
        .key =
            {.id = {.identifier = text(0), .id_name = text(1), .id_value = text(2)},
             .term = static_cast<std::uint64_t>(rows.at(row, term_column).number()),
             .writer = text(term_column + 1)},
        .events = text(events_column)
    };
}

Result<std::vector<Id>> merge_marks(
    storage::Store& store, const Marks& marks, const CountedTerms& terms, storage::Batch& batch
) {
    std::vector<std::vector<storage::Value>> keys;
    keys.reserve(marks.size());
    for (const auto& [key, added] : marks) {
        keys.push_back(
            {key.id.identifier, key.id.id_name, key.id.id_value, stored(key.term), key.writer}
        );
    }
    TRY(const storage::Found found, storage::read_many(store, segment_did_table, std::move(keys)));
    std::vector<Id> changed;
    std::size_t at = 0;
    for (const auto& [key, added] : marks) {
        const auto row = found.row_of_key[at++];
        const CountedTerms::Counted* const counted = terms.find(key.term);
        if (counted == nullptr) {
            continue;  // its rule is gone
        }
        LatestEvents latest{counted->term.times};
        if (row) {
            TRY(latest,
                LatestEvents::read(found.rows.at(*row, events_column).text(), counted->term.times));
        }
        bool is_new = false;
        for (const segment_rules::EventMark& mark : added) {
            is_new = latest.add(mark) || is_new;
        }
        if (is_new) {
            add_did(key, latest, counted->term.within, batch);
            changed.push_back(key.id);
        }
    }
    return changed;
}

}  // namespace footfall::segment_events
