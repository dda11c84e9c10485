#pragma once

#include "foundation/random.h"
#include "storage/store.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace footfall::segments {

// A store that is cut off after some writes. For tests; of one thread.

/// Passes everything on, until so many writes were made: from then on nothing is written, and
/// nobody is answered. A write is a batch, or, as on a cluster, what a batch has of one partition;
/// these come in any order. So a test is killed between any two.
class CutStore final : public storage::Store {
public:
    CutStore(storage::Store& inner, std::uint64_t seed, bool by_partition)
        : inner_{&inner}, random_{seed}, by_partition_{by_partition} {}

    void cut_after(std::size_t writes) { left_ = writes; }

    void mend() { left_.reset(); }

    bool is_cut() const { return left_ == 0; }

    void set_pressure(double pressure) { pressure_ = pressure; }

    std::size_t ranges_read() const { return ranges_read_; }

    Result<storage::CommitPosition> submit(const storage::Batch& batch) override {
        if (batch.empty()) {
            return storage::CommitPosition{0};
        }
        storage::CommitPosition last = 0;
        for (const storage::Batch& each : parts_of(batch)) {
            if (is_cut()) {
                return fail(ErrorKind::unavailable, "cut off");
            }
            if (left_) {
                --*left_;
            }
            TRY(last, inner_->submit(each));
        }
        return last;
    }

    bool durable(storage::CommitPosition position) const override {
        return inner_->durable(position);
    }

    void when_durable(storage::CommitPosition position, storage::DurableDone done) override {
        inner_->when_durable(position, std::move(done));
    }

    void read_many(
        const storage::Table& table,
        std::vector<std::vector<storage::Value>> keys,
        storage::FoundDone done
    ) override {
        inner_->read_many(table, std::move(keys), std::move(done));
    }

    void read_range(storage::RangeQuery query, storage::PageDone done) override {
        ++ranges_read_;
        inner_->read_range(std::move(query), std::move(done));
    }

    std::optional<Result<storage::Page>> read_range_now(const storage::RangeQuery& query) override {
        return inner_->read_range_now(query);
    }

    void scan(storage::ScanQuery query, storage::PageDone done) override {
        inner_->scan(std::move(query), std::move(done));
    }

    double pressure() const override { return pressure_; }

    bool loses_only_the_end() const override { return !by_partition_; }

    Result<void> health() const override { return {}; }

    storage::Subscription on_lost_writes(std::move_only_function<void()> handler) override {
        return inner_->on_lost_writes(std::move(handler));
    }

private:
    std::vector<storage::Batch> parts_of(const storage::Batch& batch) {
        if (!by_partition_) {
            return {batch};
        }
        std::map<std::pair<const storage::Table*, std::string>, storage::Batch> parts;
        batch.for_each([&](const storage::Batch::Mutation& row) {
            parts[{row.table, std::string{row.key.substr(0, row.partition_length)}}].append(row);
        });
        std::vector<storage::Batch> shuffled;
        shuffled.reserve(parts.size());
        for (auto& [key, part] : parts) {
            shuffled.push_back(std::move(part));
        }
        std::ranges::shuffle(shuffled, random_);
        return shuffled;
    }

    storage::Store* inner_;
    Random random_;
    const bool by_partition_;
    std::optional<std::size_t> left_;
    std::size_t ranges_read_ = 0;
    double pressure_ = 0;
};

}  // namespace footfall::segments
