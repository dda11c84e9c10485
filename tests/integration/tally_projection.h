#pragma once

#include "projecting/projection.h"
#include "storage/blocking.h"
#include "storage/store.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace footfall::test_support {

inline const storage::Table tally_table{
    .name = "tally",
    .purpose = "Events of each lane by action, up to a record.",
    .partition = {{"lane", storage::ColumnType::integer}},
    .clustering = {{"action", storage::ColumnType::text}},
    .values = {{"events", storage::ColumnType::integer}, {"through", storage::ColumnType::integer}}
};

/// A job: how many events of each action there are. Nothing is read when an event comes: offsets
/// wait, and are merged with their row when it is written. Thread-safe as Projection says.
class Tally final : public projecting::Projection {
public:
    explicit Tally(storage::Store& store) : store_{&store} {}

    Result<void> wait_for_room() override { return {}; }

    void apply(std::uint32_t lane, std::span<const projecting::JudgedRecord> records) override {
        const std::lock_guard lock{mutex_};
        told_ += records.size();
        for (const projecting::JudgedRecord& each : records) {
            const std::string& action = each.judged->event.action;
            if (!wanted_ || action == *wanted_) {
                waiting_[{lane, action}].push_back(each.offset);
            }
        }
    }

    void control(std::uint32_t, std::uint64_t, const events::Control&) override {}

    Result<void> flush(bool) override {
        const std::lock_guard alone{flushing_};
        Waiting written;
        {
            const std::lock_guard lock{mutex_};
            written = waiting_;
        }
        storage::Batch batch;
        for (const auto& [key, offsets] : written) {
            const auto [lane, action] = key;
            TRY(const auto row, read_one(*store_, tally_table, {std::int64_t{lane}, action}));
            const std::int64_t through = row ? std::get<std::int64_t>((*row)[3]) : 0;
            const auto is_new = [&](std::uint64_t offset) {
                return static_cast<std::int64_t>(offset) >= through;
            };
            const std::int64_t events = (row ? std::get<std::int64_t>((*row)[2]) : 0) +
                                        std::ranges::count_if(offsets, is_new);
            const auto end = static_cast<std::int64_t>(offsets.back() + 1);
            batch.upsert(tally_table, {std::int64_t{lane}, action, events, std::max(through, end)});
        }
        TRY_VOID(storage::write_durably(*store_, batch));
        const std::lock_guard lock{mutex_};
        for (const auto& [key, offsets] : written) {
            std::vector<std::uint64_t>& left = waiting_[key];
            std::erase_if(left, [&](std::uint64_t offset) { return offset <= offsets.back(); });
            if (left.empty()) {
                waiting_.erase(key);
            }
        }
        return {};
    }

    std::optional<std::uint64_t> unsaved(std::uint32_t lane) override {
        const std::lock_guard lock{mutex_};
        std::optional<std::uint64_t> first;
        for (auto each = waiting_.lower_bound({lane, ""});
             each != waiting_.end() && each->first.first == lane;
             ++each) {
            first = std::min(first.value_or(each->second.front()), each->second.front());
        }
        return first;
    }

    void drop() override {
        const std::lock_guard lock{mutex_};
        waiting_.clear();
    }

    void drop_lane(std::uint32_t lane) override {
        const std::lock_guard lock{mutex_};
        std::erase_if(waiting_, [&](const auto& each) { return each.first.first == lane; });
    }

    Result<void> expire(std::uint32_t, std::span<const projecting::JudgedRecord>) override {
        return {};
    }

    /// Events of other actions are passed over.
    void want_only(std::string action) { wanted_ = std::move(action); }

    /// How many events it was told.
    std::uint64_t told() const { return told_.load(); }

    /// What the rows say, of all lanes.
    std::map<std::string, std::uint64_t> stored() const {
        std::map<std::string, std::uint64_t> events;
        for (std::int64_t lane = 0; lane < 64; ++lane) {
            const auto rows = read_all(*store_, {.table = &tally_table, .partition = {lane}});
            for (std::size_t row = 0; rows && row < rows->size(); ++row) {
                events[std::string{rows->at(row, 1).text()}] +=
                    static_cast<std::uint64_t>(rows->at(row, 2).number());
            }
        }
        return events;
    }

private:
    using Waiting = std::map<std::pair<std::uint32_t, std::string>, std::vector<std::uint64_t>>;

    storage::Store* store_;
    std::mutex flushing_;  ///< Held by who writes: rows are read, counted on, and written.
    std::mutex mutex_;
    Waiting waiting_;  ///< Offsets of events that are not durably in rows; guarded by mutex_.
    std::optional<std::string> wanted_;
    std::atomic<std::uint64_t> told_ = 0;
};

}  // namespace footfall::test_support
