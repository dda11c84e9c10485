#pragma once

#include "foundation/clock.h"
#include "foundation/result.h"
#include "runtime/accounted_lanes.h"
#include "storage/batch.h"
#include "storage/blocking.h"
#include "storage/store.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace footfall::projecting {

/// Rows that follow from one record each, whatever stands in the table: they are encoded when the
/// record comes, and written some time later, many together. After a start, or a loss, the same
/// records make the same rows.
///
/// Memory: the rows as they are encoded, until they are durable; booked by runtime::AccountedLanes.
/// Thread-safe; add(), unsaved(), drop_lane() of one lane by one thread at a time, as Projection
/// says.
class RowsBehind {
public:
    /// `interval`: rows wait so long at least. All must outlive it.
    RowsBehind(storage::Store& store, const Clock& clock, std::chrono::microseconds interval)
        : store_{&store}, clock_{&clock}, interval_{interval} {}

    /// Has a lane told: `tell(storage::Batch&)` adds the rows of records from `offset` on. Never
    /// waits for the store.
    template <class Tell>
    void add(std::uint32_t lane, std::uint64_t offset, const Tell& tell) {
        const Instant now = clock_->now();
        lanes_.change(lane, [&](Lane& own) {
            const bool is_first = own.waiting.rows.empty();
            tell(own.waiting.rows);
            if (is_first && !own.waiting.rows.empty()) {
                own.waiting.first = offset;
                own.waiting.since = now;
            }
        });
    }

    /// As Projection::flush(): what the store has no room for stays for the next call.
    Result<void> flush(bool all) {
        const std::lock_guard alone{flushing_};
        // What a flush that failed had taken comes first, and what came since then behind it.
        const bool has_left_over = is_something_written();
        TRY_VOID(flush_once(all));
        return has_left_over ? flush_once(all) : Result<void>{};
    }

    /// As Projection::unsaved().
    std::optional<std::uint64_t> unsaved(std::uint32_t lane) {
        return lanes_.look(lane, [](const Lane& own) {
            const Rows* const first = own.oldest();
            return first == nullptr ? std::nullopt : std::optional{first->first};
        });
    }

    /// As Projection::stored_until().
    Instant stored_until(std::uint32_t lane) {
        const Instant now = clock_->now();
        return lanes_.look(lane, [&](const Lane& own) {
            const Rows* const first = own.oldest();
            return first == nullptr ? now : std::min(first->since, now);
        });
    }

    /// As Projection::drop_lane(): after it nothing is submitted of what was dropped.
    void drop_lane(std::uint32_t lane) {
        lanes_.change(lane, [](Lane& own) { own = Lane{.drops = own.drops + 1}; });
        const std::lock_guard until_it_is_submitted{submitting_};
    }

    /// Calls `show(const storage::Batch&)` with what is in no row yet, lane by lane. To be called
    /// before rows are read: what leaves it meanwhile is in them. Under the lane's mutex, so it
    /// must not wait.
    template <class Show>
    void look(const Show& show) {
        for (std::uint32_t lane = 0; lane < lane_count; ++lane) {
            lanes_.look(lane, [&](const Lane& own) {
                if (own.writing != nullptr) {
                    show(own.writing->rows);
                }
                show(own.waiting.rows);
            });
        }
    }

    std::size_t bytes() const { return lanes_.bytes(); }

    runtime::AccountAudit audit(std::size_t lane) { return lanes_.audit(lane); }

    std::uint64_t rows_written() const { return rows_written_.load(); }

private:
    struct Rows {
        storage::Batch rows;
        std::uint64_t first = 0;  ///< No record before it has a row here.
        Instant since{};          ///< When it came.
    };

    struct Lane {
        Rows waiting = {};
        std::shared_ptr<const Rows> writing = {};  ///< Before those; null: nothing is written.
        std::uint64_t drops = 0;

        const Rows* oldest() const {
            if (writing != nullptr) {
                return writing.get();
            }
            return waiting.rows.empty() ? nullptr : &waiting;
        }

        std::size_t bytes() const {
            return waiting.rows.bytes() + (writing != nullptr ? writing->rows.bytes() : 0);
        }

        std::size_t recount() const { return bytes(); }
    };

    static constexpr std::size_t lane_count = runtime::AccountedLanes<Lane>::count;

    struct Taken {
        std::uint32_t lane = 0;
        std::uint64_t drops = 0;
        std::shared_ptr<const Rows> rows = {};
    };

    bool is_something_written() {
        for (std::uint32_t lane = 0; lane < lane_count; ++lane) {
            if (lanes_.look(lane, [](const Lane& own) { return own.writing != nullptr; })) {
                return true;
            }
        }
        return false;
    }

    Result<void> flush_once(bool all) {
        std::vector<Taken> round = take(all);
        storage::CommitPosition position = 0;
        for (Taken& each : round) {
            TRY(const storage::CommitPosition submitted, submit(each));
            position = std::max(position, submitted);
        }
        TRY_VOID(storage::wait_durable(*store_, position));
        for (const Taken& each : round) {
            lanes_.change(each.lane, [&](Lane& own) {
                if (own.drops == each.drops) {
                    own.writing.reset();
                }
            });
        }
        return {};
    }

    /// What is due. What came later than now, by a clock that was ahead, is.
    std::vector<Taken> take(bool all) {
        const Instant now = clock_->now();
        const Instant due = now - interval_;
        std::vector<Taken> round;
        for (std::uint32_t lane = 0; lane < lane_count; ++lane) {
            lanes_.change(lane, [&](Lane& own) {
                const Rows* const first = own.oldest();
                if (first == nullptr || (!all && first->since > due && first->since <= now)) {
                    return;
                }
                if (own.writing == nullptr) {
                    own.writing = std::make_shared<const Rows>(std::move(own.waiting));
                    own.waiting = {};
                }
                round.push_back({.lane = lane, .drops = own.drops, .rows = own.writing});
            });
        }
        return round;
    }

    /// Nothing of a lane that was dropped meanwhile.
    Result<storage::CommitPosition> submit(const Taken& taken) {
        const std::lock_guard lock{submitting_};
        if (lanes_.look(taken.lane, [](const Lane& own) { return own.drops; }) != taken.drops) {
            return storage::CommitPosition{0};
        }
        TRY(const storage::CommitPosition position, store_->submit(taken.rows->rows));
        rows_written_ += taken.rows->rows.size();
        return position;
    }

    storage::Store* store_;
    const Clock* clock_;
    const std::chrono::microseconds interval_;
    runtime::AccountedLanes<Lane> lanes_;
    std::mutex flushing_;    ///< One thread at a time writes.
    std::mutex submitting_;  ///< Held while drops are looked at and rows are submitted.
    std::atomic<std::uint64_t> rows_written_ = 0;
};

}  // namespace footfall::projecting
