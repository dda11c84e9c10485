#pragma once

#include "storage/memory_store.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace footfall::rankings {

/// A store of tests that counts reads, answers them as an embedded store or as a cluster does, and
/// fails when told to.
class CountedStore final : public storage::Store {
public:
    explicit CountedStore(storage::Store& store) : store_{store} {}

    bool is_here = false;                      ///< Ranges are read by the thread that asks.
    std::size_t fail_after = ~std::size_t{0};  ///< So many reads succeed.
    std::size_t ranges = 0;                    ///< Read one by one.
    std::size_t together = 0;                  ///< Of several ranges.
    std::function<void()> on_read = [] {};

    Result<storage::CommitPosition> submit(const storage::Batch& batch) override {
        return store_.submit(batch);
    }

    bool durable(storage::CommitPosition position) const override {
        return store_.durable(position);
    }

    void when_durable(storage::CommitPosition position, storage::DurableDone done) override {
        store_.when_durable(position, std::move(done));
    }

    void read_many(
        const storage::Table& table,
        std::vector<std::vector<storage::Value>> keys,
        storage::FoundDone done
    ) override {
        store_.read_many(table, std::move(keys), std::move(done));
    }

    void read_range(storage::RangeQuery query, storage::PageDone done) override {
        ++ranges;
        on_read();
        if (fails()) {
            done(storage_away());
            return;
        }
        store_.read_range(std::move(query), std::move(done));
    }

    std::optional<Result<storage::Page>> read_range_here(const storage::RangeQuery& query
    ) override {
        if (!is_here) {
            return std::nullopt;
        }
        ++ranges;
        on_read();
        if (fails()) {
            return storage_away();
        }
        return store_.read_range_now(query);
    }

    void read_ranges(std::vector<storage::RangeQuery> queries, storage::PagesDone done) override {
        ++together;
        on_read();
        if (fails()) {
            done(std::unexpected{storage_away().error()});
            return;
        }
        store_.read_ranges(std::move(queries), std::move(done));
    }

    std::optional<Result<storage::Page>> read_range_now(const storage::RangeQuery& query) override {
        return store_.read_range_now(query);
    }

    void scan(storage::ScanQuery query, storage::PageDone done) override {
        store_.scan(std::move(query), std::move(done));
    }

    double pressure() const override { return 0; }

    bool loses_only_the_end() const override { return true; }

    Result<void> health() const override { return {}; }

    storage::Subscription on_lost_writes(std::move_only_function<void()> handler) override {
        return store_.on_lost_writes(std::move(handler));
    }

private:
    bool fails() const { return ranges + together > fail_after; }

    static Result<storage::Page> storage_away() {
        return fail(ErrorKind::unavailable, "the store is away");
    }

    storage::Store& store_;
};

}  // namespace footfall::rankings
