#pragma once

#include "events/event.h"
#include "foundation/clock.h"
#include "foundation/result.h"
#include "segment_events/counted_terms.h"
#include "segment_rules/latest_events.h"
#include "storage/batch.h"
#include "storage/rows.h"
#include "storage/store.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

/// What is stored of what ids did. Reads block.
namespace footfall::segment_events {

using Id = events::Identifier;

/// Of whom an event is: the given actor, or the first identifier where there is none. Absent: of
/// nobody who is known by a name, or of whom was erased, or it is a read, of which nothing is kept
/// here.
std::optional<Id> id_of(const events::Event& event);

/// The key of a row.
struct DidKey {
    Id id;
    std::uint64_t term = 0;
    std::string writer;

    friend auto operator<=>(const DidKey&, const DidKey&) = default;
};

/// Until when each term holds of somebody, if there are enough events; past instants among them.
using HoldsUntil = std::map<std::uint64_t, Instant>;

/// Of the person whose ids these are: what any of them did is the person's.
Result<HoldsUntil> read_holds_until(
    storage::Store& store, std::span<const Id> ids, const CountedTerms& terms
);

/// The same of many people at once: `of[at]`, below `people`, is whose id `ids[at]` is.
Result<std::vector<HoldsUntil>> read_holds_until_of(
    storage::Store& store,
    std::span<const Id> ids,
    std::span<const std::size_t> of,
    std::size_t people,
    const CountedTerms& terms
);

/// What an id is known as by those who say which ids are one person: some write what is the same
/// in several ways. Any thread.
using KnownAs = std::function<Id(Id)>;

/// A row, as a walk over the table has it.
struct DidRow {
    DidKey key;
    std::string events;  ///< LatestEvents::bytes().
};

DidRow read_did_row(const storage::Rows& rows, std::size_t row);

/// What is to be added to rows.
using Marks = std::map<DidKey, std::vector<segment_rules::EventMark>>;

/// Adds to the batch the rows that these marks change, each merged with the one that stands, and
/// answers the ids of those. Marks of terms that are not counted are passed over.
Result<std::vector<Id>> merge_marks(
    storage::Store& store, const Marks& marks, const CountedTerms& terms, storage::Batch& batch
);

}  // namespace footfall::segment_events
