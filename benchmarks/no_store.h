#pragma once

#include "storage/store.h"

#include <optional>
#include <utility>
#include <vector>

namespace footfall::benchmarks {

using storage::CommitPosition;

/// Takes every write and has no rows: what is measured is not the store.
class NoStore final : public storage::Store {
public:
    Result<CommitPosition> submit(const storage::Batch& batch) override {
        static_cast<void>(batch);
        return ++position_;
    }

    bool durable(CommitPosition /*position*/) const override { return true; }

    void when_durable(CommitPosition /*position*/, storage::DurableDone done) override { done({}); }

    void read_many(
        const storage::Table& table,
        std::vector<std::vector<storage::Value>> keys,
        storage::FoundDone done
    ) override {
        storage::Found found{.rows = storage::Rows{table}, .row_of_key = {}};
        found.row_of_key.resize(keys.size());
        done(std::move(found));
    }

    void read_range(storage::RangeQuery query, storage::PageDone done) override {
        done(empty_page(query));
    }

    std::optional<Result<storage::Page>> read_range_now(const storage::RangeQuery& query) override {
        return empty_page(query);
    }

    void scan(storage::ScanQuery query, storage::PageDone done) override {
        done(storage::Page{.rows = storage::Rows{*query.table}, .continuation = {}});
    }

    double pressure() const override { return 0; }

    bool loses_only_the_end() const override { return true; }

    Result<void> health() const override { return {}; }

    storage::Subscription on_lost_writes(std::move_only_function<void()> /*handler*/) override {
        return {};
    }

private:
    static Result<storage::Page> empty_page(const storage::RangeQuery& query) {
        return storage::Page{.rows = storage::Rows{*query.table}, .continuation = {}};
    }

    CommitPosition position_ = 0;
};

}  // namespace footfall::benchmarks
