#pragma once

#include "storage/store.h"

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace footfall::storage {

/// A store asked by a thread that may wait: tests and command line tools. Never from an io thread,
/// under a lane's mutex, or inside a completion, where waiting would stop what is waited for.
///
/// Whoever gets no answer within `patience` gets `timed_out` (a read) or `outcome_unknown` (a
/// write); an answer that comes later is dropped.
inline constexpr std::chrono::milliseconds default_patience{60'000};

/// Waits until the batch at `position` is durable.
Result<void> wait_durable(
    Store& store, CommitPosition position, std::chrono::milliseconds patience = default_patience
);

/// Submits `batch` and waits until it is durable.
Result<void> write_durably(
    Store& store, const Batch& batch, std::chrono::milliseconds patience = default_patience
);

Result<Found> read_many(
    Store& store,
    const Table& table,
    std::vector<std::vector<Value>> keys,
    std::chrono::milliseconds patience = default_patience
);

/// Calls `missing(at)` with each key that has no row, in their order. Some are asked at a time;
/// `patience` is for each such part.
Result<void> for_each_missing(
    Store& store,
    const Table& table,
    const std::vector<std::vector<Value>>& keys,
    const std::function<void(std::size_t at)>& missing,
    std::chrono::milliseconds patience = default_patience
);

/// The row with this key, all columns, or absent.
Result<std::optional<std::vector<Value>>> read_one(
    Store& store,
    const Table& table,
    std::vector<Value> key,
    std::chrono::milliseconds patience = default_patience
);

Result<Page> read_page(
    Store& store, RangeQuery query, std::chrono::milliseconds patience = default_patience
);

/// A page of each of several ranges, in their order. What memory has is read by this thread; the
/// others are asked side by side: many take hardly longer than one where each is a way over the
/// network. `patience` is for all.
Result<std::vector<Page>> read_pages(
    Store& store,
    std::vector<RangeQuery> queries,
    std::chrono::milliseconds patience = default_patience
);

/// All rows of each range, given to `function(at, rows)`, which answers a Result<void>, in their
/// order. First pages are asked side by side, some at a time; so many are in memory, and of one
/// range the rest. `patience` is for each such part.
Result<void> read_each(
    Store& store,
    std::vector<RangeQuery> queries,
    const std::function<Result<void>(std::size_t at, const Rows& rows)>& function,
    std::chrono::milliseconds patience = default_patience
);

/// All rows of each of these partitions, which are small and many: of ids, say. `partitions` has
/// the partition columns of the first, then of the second, and so on. Calls
/// `function(at, rows, place)` with each of them, in their order, also with those of no rows.
/// As read_each(), and cheaper where the store is of this process.
Result<void> read_partitions(
    Store& store,
    const Table& table,
    std::span<const ValueView> partitions,
    const std::function<
        Result<void>(std::size_t at, const Rows& rows, PartitionsFound::Place place)>& function,
    std::chrono::milliseconds patience = default_patience
);

/// A page of a scan.
Result<Page> scan_page(
    Store& store, ScanQuery query, std::chrono::milliseconds patience = default_patience
);

/// All rows of the range, page after page, starting at the query's continuation. Holds them all in
/// memory: only for ranges whose size is known. `patience` is for each page.
Result<Rows> read_all(
    Store& store, RangeQuery query, std::chrono::milliseconds patience = default_patience
);

}  // namespace footfall::storage
