#pragma once

#include "foundation/clock.h"
#include "storage/forgotten_records.h"
#include "storage/store.h"

#include <map>
#include <mutex>
#include <span>
#include <string>
#include <vector>

namespace footfall::storage {

/// Rows in memory, for tests only: the oracle that the contract suite compares every other store
/// with, and the bottom of a FaultyStore. Never a product store: it forgets everything with the
/// process and has no bound.
///
/// Shares no code with the stores it judges: the order comes from comparing values (key_order.h),
/// not from encoded keys. Every batch is applied whole and is durable when submit() returns;
/// completions run inside the call. Rows whose time is over stay until reclaim(). Never fails.
///
/// Thread-safe: one mutex, not held while completions run.
class MemoryStore final : public Store {
public:
    /// Both must outlive the store. The clock is asked by reclaim() alone.
    MemoryStore(std::span<const Table* const> tables, const Clock& clock);

    Result<CommitPosition> submit(const Batch& batch) override;
    bool durable(CommitPosition position) const override;
    void when_durable(CommitPosition position, DurableDone done) override;
    void read_many(const Table& table, std::vector<std::vector<Value>> keys, FoundDone done)
        override;
    void read_range(RangeQuery query, PageDone done) override;
    std::optional<Result<Page>> read_range_now(const RangeQuery& query) override;
    /// Backwards, so that nobody takes the order of keys for granted.
    void scan(ScanQuery query, PageDone done) override;

    double pressure() const override { return 0; }

    bool loses_only_the_end() const override { return true; }

    Result<void> health() const override;
    Subscription on_lost_writes(std::move_only_function<void()> handler) override;

    void forget_records(std::uint64_t log, std::uint32_t lane, std::uint64_t before) override {
        forgotten_.forget(log, lane, before);
    }

    /// Drops every row that the contract lets a store drop by now, and says how many: the harshest
    /// moment a product can meet.
    std::size_t reclaim();

private:
    struct DeclaredOrder {
        const Table* table;
        bool operator()(const std::vector<Value>& left, const std::vector<Value>& right) const;
    };

    /// From the key columns of a row to its value columns.
    using TableRows = std::map<std::vector<Value>, std::vector<Value>, DeclaredOrder>;

    TableRows& rows_of(const Table& table);
    Result<Page> page(const RangeQuery& query);
    Result<Page> scanned(const ScanQuery& query);

    const Clock& clock_;
    ForgottenRecords forgotten_;
    mutable std::mutex mutex_;
    std::map<std::string, TableRows, std::less<>> tables_;  // guarded by mutex_
    CommitPosition last_ = 0;                               // guarded by mutex_
};

}  // namespace footfall::storage
