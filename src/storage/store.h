#pragma once

#include "foundation/result.h"
#include "storage/batch.h"
#include "storage/rows.h"
#include "storage/subscription.h"
#include "storage/table.h"
#include "storage/value.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace footfall::storage {

/// Names a submitted batch, for asking whether it is durable. Grows with every submit. 0: nothing
/// to wait for.
using CommitPosition = std::uint64_t;

/// A part of one partition, in the table's order.
struct RangeQuery {
    const Table* table = nullptr;
    std::vector<Value> partition = {};  ///< All partition columns.
    /// Leading clustering columns of the first and last row wanted, both included; empty: the
    /// partition's start or end.
    std::vector<Value> from = {};
    std::vector<Value> through = {};
    std::size_t max_rows = 1000;       ///< At most so many rows a page, above 0.
    std::size_t max_bytes = 16 << 20;  ///< A page ends after the row that passes this.
    std::string continuation = {};     ///< Empty, or what the page before answered.
};

/// A whole table, in an order that is the store's own.
struct ScanQuery {
    const Table* table = nullptr;
    std::size_t max_rows = 1000;       ///< At most so many rows a page, above 0.
    std::size_t max_bytes = 16 << 20;  ///< A page ends after the row that passes this.
    /// Empty, or what a page before answered, also before the store was opened again.
    std::string continuation = {};
};

struct Page {
    Rows rows;
    /// Where the next page starts: opaque, to be given back in the same query. Empty: this was the
    /// last page. A page that has a continuation has at least one row.
    std::string continuation;
};

using DurableDone = std::move_only_function<void(Result<void>)>;
using PageDone = std::move_only_function<void(Result<Page>)>;
using PagesDone = std::move_only_function<void(Result<std::vector<Page>>)>;

/// The answer of read_many.
struct Found {
    Rows rows;
    /// One entry a key asked, in the order asked: an index into `rows`, or absent.
    std::vector<std::optional<std::size_t>> row_of_key;
};

using FoundDone = std::move_only_function<void(Result<Found>)>;

/// The rows of several partitions, in memory together.
struct PartitionsFound {
    struct Place {
        std::size_t first = 0;  ///< In `rows`.
        std::size_t end = 0;    ///< Behind the last.
    };

    Rows rows;
    std::vector<Place> place_of;  ///< One entry a partition asked, in the order asked.
};

/// Typed tables that survive the process. The one seam to whatever keeps rows: an embedded engine,
/// a cluster, or memory in tests. storage/testing/store_contract.h is the meaning of every sentence
/// here; an implementation is done when that suite passes on it.
///
/// Writes: submit() queues a batch and returns at once; the batch is durable when when_durable()
/// says so. Batches become durable in the order of submission, and a position is durable only when
/// all before it are. Every write is an idempotent upsert or erase, so repeating a batch whose
/// outcome is unknown is safe.
///
/// A position whose writing failed stays lost for good, also when later ones become durable.
///
/// Reads: answered from all batches that were durable when the read started (newer ones may be seen
/// too). One page sees all of a batch within its partition, or nothing of it. Completions run on a
/// thread of the store or on the caller's, inside the call; they may call the store again, must not
/// block, and must not be entered with a lock held that they take themselves.
///
/// Failures: `overloaded` (queue full, nothing done), `unavailable` (not serving, nothing done),
/// `outcome_unknown` (only from when_durable: the batch may or may not be there), `invalid_input`
/// (a continuation that this query never answered), `timed_out`, `corrupt`.
///
/// Thread-safe. Owned by `server`; outlives everything that reads or writes through it.
class Store {
public:
    Store() = default;
    Store(const Store&) = delete;
    Store& operator=(const Store&) = delete;
    virtual ~Store() = default;

    /// Queues `batch`. Never waits; may be called under a lane's mutex. An empty batch answers 0.
    virtual Result<CommitPosition> submit(const Batch& batch) = 0;

    /// Whether the batch at `position`, and so every one before it, is durable. Cheap.
    virtual bool durable(CommitPosition position) const = 0;

    /// Calls `done` once: with success when `position` is durable, with outcome_unknown when its
    /// writing failed.
    virtual void when_durable(CommitPosition position, DurableDone done) = 0;

    /// Reads the rows with these keys (partition and clustering columns, all of `table`).
    virtual void read_many(
        const Table& table, std::vector<std::vector<Value>> keys, FoundDone done
    ) = 0;

    /// The same for a thread that may wait: answered by this thread itself where that is shorter
    /// than waking another one, else absent. Ask by read_many() of blocking.h.
    virtual std::optional<Result<Found>> read_many_here(
        const Table& /*table*/, const std::vector<std::vector<Value>>& /*keys*/
    ) {
        return std::nullopt;
    }

    /// Reads a page of one partition.
    virtual void read_range(RangeQuery query, PageDone done) = 0;

    /// As read_many_here(), by read_page() of blocking.h.
    virtual std::optional<Result<Page>> read_range_here(const RangeQuery& /*query*/) {
        return std::nullopt;
    }

    /// All rows of each of these partitions, whose columns are given one partition behind the
    /// other, for a thread that may wait: it reads many in a fraction of what each alone would
    /// cost. Absent: the store has no such way, or they have more than some megabytes. Ask by
    /// read_partitions() of blocking.h.
    virtual std::optional<Result<PartitionsFound>> read_partitions_here(
        const Table& /*table*/, std::span<const ValueView> /*partitions*/
    ) {
        return std::nullopt;
    }

    /// Reads a page of each of these few, in their order, at once; if one fails, all have failed.
    virtual void read_ranges(std::vector<RangeQuery> queries, PagesDone done);

    /// The page that read_range() would answer, if memory alone has it; absent: it would have to
    /// wait, ask read_range(). Never waits. Costs the caller's thread about 10 microseconds and
    /// 0.2 a row, so ask for few rows.
    virtual std::optional<Result<Page>> read_range_now(const RangeQuery& query) = 0;

    /// Reads a page of a whole table. A scan, from its first page to its last, answers each row
    /// once that was there all the time and durable when it began; of what is written or erased
    /// meanwhile it shows something or nothing. Expired rows may be among them. For moving and
    /// checking everything: it costs what the table is long, and disturbs others.
    virtual void scan(ScanQuery query, PageDone done) = 0;

    /// How near the store is to slowing writes down: 0 not at all, at 1 each has to wait. Cheap.
    /// Whoever writes much and can wait does so before, so that others need not.
    virtual double pressure() const = 0;

    /// Whether what is left after any failure is a beginning of what was submitted, each batch as a
    /// whole: who finds a row then knows that everything is there which was submitted before it, or
    /// with it.
    virtual bool loses_only_the_end() const = 0;

    /// Success while writes are accepted; else why not. For readiness and for people.
    virtual Result<void> health() const = 0;

    /// Adds to what must happen when writes that were queued have been lost: whoever keeps state in
    /// memory that depends on them has to drop it. Called from a thread of the store: after the
    /// waiters were told, when nothing that was lost can be read any more, and before new writes
    /// are accepted. To be called before the first submit that such state follows from. Ends with
    /// what is answered.
    [[nodiscard]] virtual Subscription on_lost_writes(std::move_only_function<void()> handler) = 0;

    /// The records of a log's lane before `before` are gone for good: rows of them
    /// (Table::of_record) may be dropped from now on, at any time or never; whether one counts is
    /// for the reader to ask of the log. Forgotten when the store is closed; to be said only once
    /// the records are durably gone.
    virtual void forget_records(
        std::uint64_t /*log*/, std::uint32_t /*lane*/, std::uint64_t /*before*/
    ) {}

    /// Writes a row, all columns, unless one with its key is there, and answers the one that stands
    /// then: whoever asks at the same time, in any process, is answered the same one. Waits, and
    /// costs several ways through a cluster: for what is made once. Not for a table whose rows
    /// expire.
    virtual Result<std::vector<Value>> insert_new(const Table& table, std::vector<Value> row);

    /// What is submitted from here on stands over whatever any process wrote before. Waits. For who
    /// takes rows over from another process; within one, writes stand in their order anyway.
    virtual Result<void> write_after_others() { return {}; }

    /// Sees to it that rows of secret tables (Table::secret) that were erased or written over, and
    /// were durably so when this was called, are in no file of this machine's store: when it
    /// answers, or seconds later. Does nothing if no such row was written since it last succeeded
    /// here. Blocks, and writes those tables anew. The nodes of a cluster do the same by
    /// themselves, within half an hour and a merge (cql_schema.cpp), but for their commit logs.
    virtual Result<void> shred() { return {}; }

    /// Sees to it that what was erased of the personal tables (Table::personal), or written over,
    /// and was durably so when this was called, is in no file of this machine's store. Blocks, and
    /// writes those tables anew. Answers false where others are to do it: the nodes of a cluster
    /// merge files by themselves, once what was erased may be forgotten.
    virtual Result<bool> rewrite() { return false; }

    /// Writes what is queued and answers everybody who waits; from then on writes are refused.
    /// Blocks. Idempotent.
    virtual void close() {}

private:
    std::mutex inserting_;  ///< Held by insert_new() where this process alone writes.
};

}  // namespace footfall::storage
