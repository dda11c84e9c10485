#pragma once

#include "storage/store.h"

#include <atomic>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace footfall::benchmarks {

/// Counts what is asked of another store, which must outlive it. Thread-safe.
class CountingStore final : public storage::Store {
public:
    explicit CountingStore(storage::Store& inner) : inner_{&inner} {}

    std::uint64_t rows_read() const { return rows_.load(); }

    /// Rows that were written or erased, keys and pages that were read: on Cassandra a statement
    /// each.
    std::uint64_t statements() const { return statements_.load(); }

    /// Writes and reads that somebody waited for.
    std::uint64_t waits() const { return waits_.load(); }

    Result<storage::CommitPosition> submit(const storage::Batch& batch) override {
        statements_ += batch.size();
        return inner_->submit(batch);
    }

    bool durable(storage::CommitPosition position) const override {
        return inner_->durable(position);
    }

    void when_durable(storage::CommitPosition position, storage::DurableDone done) override {
        ++waits_;
        inner_->when_durable(position, std::move(done));
    }

    void read_many(
        const storage::Table& table,
        std::vector<std::vector<storage::Value>> keys,
        storage::FoundDone done
    ) override {
        statements_ += keys.size();
        ++waits_;
        inner_->read_many(
            table,
            std::move(keys),
            [this, done = std::move(done)](Result<storage::Found> found) mutable {
                rows_ += found ? found->rows.size() : 0;
                done(std::move(found));
            }
        );
    }

    void read_range(storage::RangeQuery query, storage::PageDone done) override {
        ++statements_;
        ++waits_;
        inner_->read_range(
            std::move(query),
            [this, done = std::move(done)](Result<storage::Page> page) mutable {
                rows_ += page ? page->rows.size() : 0;
                done(std::move(page));
            }
        );
    }

    void read_ranges(std::vector<storage::RangeQuery> queries, storage::PagesDone done) override {
        statements_ += queries.size();
        ++waits_;
        inner_->read_ranges(
            std::move(queries),
            [this, done = std::move(done)](Result<std::vector<storage::Page>> pages) mutable {
                for (const storage::Page& each : pages ? *pages : std::vector<storage::Page>{}) {
                    rows_ += each.rows.size();
                }
                done(std::move(pages));
            }
        );
    }

    std::optional<Result<storage::Page>> read_range_now(const storage::RangeQuery& query) override {
        std::optional<Result<storage::Page>> page = inner_->read_range_now(query);
        rows_ += page && *page ? (*page)->rows.size() : 0;
        return page;
    }

    void scan(storage::ScanQuery query, storage::PageDone done) override {
        inner_->scan(std::move(query), std::move(done));
    }

    double pressure() const override { return inner_->pressure(); }

    bool loses_only_the_end() const override { return inner_->loses_only_the_end(); }

    Result<void> health() const override { return inner_->health(); }

    storage::Subscription on_lost_writes(std::move_only_function<void()> handler) override {
        return inner_->on_lost_writes(std::move(handler));
    }

private:
    storage::Store* inner_;
    std::atomic<std::uint64_t> rows_ = 0;
    std::atomic<std::uint64_t> statements_ = 0;
    std::atomic<std::uint64_t> waits_ = 0;
};

}  // namespace footfall::benchmarks
