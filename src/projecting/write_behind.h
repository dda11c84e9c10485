#pragma once

#include "foundation/check.h"
#include "foundation/clock.h"
#include "foundation/result.h"
#include "runtime/accounted_lanes.h"
#include "runtime/memory_shares.h"
#include "storage/batch.h"
#include "storage/blocking.h"
#include "storage/store.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace footfall::projecting {

/// What a job keeps rows of: which row (`Key`, in the order of the table's keys), and what one
/// record changes of it (`Change`, which knows the record's offset).
template <class Cell>
concept WrittenBehind =
    requires(const typename Cell::Key& key, const typename Cell::Change& change) {
        requires std::totally_ordered<typename Cell::Key>;
        /// What a key has on the heap, beside its own size.
        { Cell::heap_bytes(key) } -> std::convertible_to<std::size_t>;
        { Cell::offset_of(change) } -> std::convertible_to<std::uint64_t>;
    };

/// Changes that wait for their rows, by lane: what a projection of whatever job needs so that
/// nothing is read when an event comes. A change is put to what waits of its key; when it is due,
/// all that waits of a lane is merged with its rows in the order of their keys, and written.
///
/// Of a job it needs one function, Merge. A row has to say itself which records it includes, and to
/// pass over one that it has: after a start, or a loss, changes come again.
///
/// Memory: Change's size for each that waits, and about 100 bytes and the key for each key; booked
/// by runtime::AccountedLanes. Thread-safe; add(), unsaved(), drop_lane() of one lane by one thread
/// at a time, as Projection says.
template <WrittenBehind Cell>
class WriteBehind {
public:
    using Key = typename Cell::Key;
    using Change = typename Cell::Change;
    /// Changes of each key, in the order of the lane.
    using Waiting = std::map<Key, std::vector<Change>>;

    /// Adds the rows of these keys to the batch, each merged with the row that stands. May read and
    /// wait. Not under a mutex of a lane.
    using Merge = std::move_only_function<
        Result<void>(std::uint32_t lane, const Waiting& some, storage::Batch& batch)>;

    struct Options {
        std::chrono::microseconds interval = std::chrono::seconds{1};  ///< Waits so long at least.
        runtime::MemoryShare* memory = nullptr;                        ///< Null: `bytes_max`.
        std::size_t bytes_max = 32 << 20;
    };

    /// All must outlive it.
    WriteBehind(storage::Store& store, const Clock& clock, Merge merge, Options options)
        : store_{&store}, clock_{&clock}, merge_{std::move(merge)}, options_{options} {}

    /// As Projection::wait_for_room().
    Result<void> wait_for_room() {
        if (has_room()) {
            return {};
        }
        if (options_.memory != nullptr) {
            options_.memory->note_short();
        }
        return flush(true);
    }

    /// Has a lane told what changes: calls `tell(add)`, which calls `add(Key, Change)` for each
    /// change, in the order of the lane. Never waits for the store.
    template <class Tell>
    void add(std::uint32_t lane, const Tell& tell) {
        const Instant now = clock_->now();
        lanes_.change(lane, [&](Lane& own) {
            tell([&](Key key, Change change) { own.add(std::move(key), std::move(change), now); });
        });
    }

    /// As Projection::flush(). A lane with a damaged row (`corrupt`) waits on, and holds no other
    /// one up; any other failure is the store's, and what is left waits for the next call. What
    /// came later than now, by a clock that was ahead, is due.
    Result<void> flush(bool all) {
        const std::lock_guard alone{flushing_};
        TRY_VOID(settle());  // of a flush that failed
        const Instant now = clock_->now();
        const Instant due = now - options_.interval;
        Result<void> outcome;
        for (std::uint32_t lane = 0; lane < lane_count; ++lane) {
            const bool is_due = lanes_.look(lane, [&](const Lane& own) {
                return !own.waiting.empty() && (all || own.since <= due || own.since > now);
            });
            if (!is_due) {
                continue;
            }
            Result<void> written = write_lane(lane);
            const bool is_damaged = !written && written.error().kind == ErrorKind::corrupt;
            const bool goes_on = written || is_damaged;
            if (outcome) {
                outcome = std::move(written);
            }
            if (!goes_on) {
                break;
            }
        }
        TRY_VOID(settle());
        return outcome;
    }

    /// As Projection::unsaved().
    std::optional<std::uint64_t> unsaved(std::uint32_t lane) {
        return lanes_.look(lane, [](const Lane& own) {
            return own.waiting.empty() ? std::nullopt : std::optional{own.first};
        });
    }

    /// As Projection::stored_until().
    Instant stored_until(std::uint32_t lane) {
        const Instant now = clock_->now();
        return lanes_.look(lane, [&](const Lane& own) {
            return own.waiting.empty() ? now : std::min(own.since, now);
        });
    }

    /// As Projection::drop_lane(): after it nothing is submitted of what was dropped.
    void drop_lane(std::uint32_t lane) {
        lanes_.change(lane, [](Lane& own) { own = Lane{.drops = own.drops + 1}; });
        const std::lock_guard until_it_is_submitted{submitting_};
    }

    /// As Projection::drop().
    void drop() {
        for (std::uint32_t lane = 0; lane < lane_count; ++lane) {
            drop_lane(lane);
        }
    }

    /// What waits of a lane, for an answer that is up to date: copied, before rows are read, so
    /// that what is written meanwhile is in the one or the other. `function(const Waiting&)` is
    /// called under the lane's mutex.
    template <class Function>
    auto look(std::uint32_t lane, const Function& function) {
        return lanes_.look(lane, [&](const Lane& own) { return function(own.waiting); });
    }

    /// Changes that wait, of all lanes.
    std::size_t waiting() {
        std::size_t changes = 0;
        for (std::uint32_t lane = 0; lane < lane_count; ++lane) {
            changes += lanes_.look(lane, [](const Lane& own) { return own.changes; });
        }
        return changes;
    }

    std::size_t bytes() const { return lanes_.bytes(); }

    runtime::AccountAudit audit(std::size_t lane) { return lanes_.audit(lane); }

    std::uint64_t rows_written() const { return rows_written_.load(); }

private:
    /// A node of the map, and its vector.
    static constexpr std::size_t node_bytes = 64 + sizeof(typename Waiting::value_type);
    /// Changes that are merged and submitted together, and batches that may be on their way.
    static constexpr std::size_t changes_at_once = 16'384;
    static constexpr std::size_t keys_at_once = 1024;
    static constexpr std::size_t submitted_max = 16;

    struct Lane {
        Waiting waiting = {};
        std::uint64_t first = 0;  ///< No record before it waits.
        std::uint64_t end = 0;    ///< Behind the last record that was told.
        Instant since{};          ///< When `first` came, or later ones were left.
        std::uint64_t drops = 0;
        std::size_t changes = 0;
        std::size_t used = 0;

        void add(Key key, Change change, Instant now) {
            const std::uint64_t offset = Cell::offset_of(change);
            if (waiting.empty()) {
                first = offset;
                since = now;
            }
            end = std::max(end, offset + 1);
            const auto [at, made] = waiting.try_emplace(std::move(key));
            used += made ? node_bytes + Cell::heap_bytes(at->first) : 0;
            const std::size_t before = at->second.capacity();
            at->second.push_back(std::move(change));
            used += (at->second.capacity() - before) * sizeof(Change);
            ++changes;
        }

        /// These are stored: the first so many of each key. More may have come behind them.
        void settle(const std::vector<std::pair<Key, std::size_t>>& stored) {
            for (const auto& [key, count] : stored) {
                const auto at = waiting.find(key);
                CHECK(at != waiting.end(), "what is written waits until it is stored");
                std::vector<Change>& left = at->second;
                used -= left.capacity() * sizeof(Change);
                left.erase(left.begin(), left.begin() + static_cast<std::ptrdiff_t>(count));
                left.shrink_to_fit();
                used += left.capacity() * sizeof(Change);
                changes -= count;
                if (left.empty()) {
                    used -= node_bytes + Cell::heap_bytes(at->first);
                    waiting.erase(at);
                }
            }
        }

        std::size_t bytes() const { return used; }

        std::size_t recount() const {
            std::size_t sum = 0;
            for (const auto& [key, left] : waiting) {
                sum += node_bytes + Cell::heap_bytes(key) + left.capacity() * sizeof(Change);
            }
            return sum;
        }
    };

    static constexpr std::size_t lane_count = runtime::AccountedLanes<Lane>::count;

    /// One writing of all that waits of a lane. What waits behind `end` came during it.
    struct Round {
        std::uint32_t lane = 0;
        std::uint64_t drops = 0;
        std::uint64_t end = 0;
        Instant begun{};
    };

    /// Keys of a lane that were submitted together.
    struct Submitted {
        Round round;
        storage::CommitPosition position = 0;
        std::vector<std::pair<Key, std::size_t>> keys = {};
        bool ends_round = false;
    };

    bool has_room() const {
        return bytes() <
               (options_.memory != nullptr ? options_.memory->bytes() : options_.bytes_max);
    }

    Result<void> write_lane(std::uint32_t lane) {
        const Round round = lanes_.look(lane, [&](const Lane& own) {
            return Round{.lane = lane, .drops = own.drops, .end = own.end, .begun = clock_->now()};
        });
        std::optional<Key> after;
        for (bool ends_round = false; !ends_round;) {
            const Waiting some = next(round, after, ends_round);
            if (some.empty()) {
                return {};  // it was dropped
            }
            after = some.rbegin()->first;
            TRY_VOID(write(round, some, ends_round));
        }
        return {};
    }

    /// The next keys of a round, with what waits of them.
    Waiting next(const Round& round, const std::optional<Key>& after, bool& ends_round) {
        return lanes_.look(round.lane, [&](const Lane& own) {
            Waiting some;
            std::size_t changes = 0;
            auto at = after ? own.waiting.upper_bound(*after) : own.waiting.begin();
            for (; own.drops == round.drops && at != own.waiting.end(); ++at) {
                if (changes >= changes_at_once || some.size() >= keys_at_once) {
                    break;
                }
                some.insert(*at);
                changes += at->second.size();
            }
            ends_round = at == own.waiting.end();
            return some;
        });
    }

    Result<void> write(const Round& round, const Waiting& some, bool ends_round) {
        storage::Batch batch;
        TRY_VOID(merge_(round.lane, some, batch));
        Submitted submitted{.round = round, .ends_round = ends_round};
        for (const auto& [key, changes] : some) {
            submitted.keys.emplace_back(key, changes.size());
        }
        {
            const std::lock_guard lock{submitting_};
            const bool valid =
                lanes_.look(round.lane, [&](const Lane& own) { return own.drops == round.drops; });
            if (!valid) {
                return {};  // rows depend on what is lost, or are another's now
            }
            TRY(submitted.position, store_->submit(batch));
        }
        rows_written_ += batch.size();
        submitted_.push_back(std::move(submitted));
        return submitted_.size() < submitted_max ? Result<void>{} : settle();
    }

    /// Waits until all that was submitted is durable.
    Result<void> settle() {
        while (!submitted_.empty()) {
            const Submitted& first = submitted_.front();
            const bool valid = lanes_.look(first.round.lane, [&](const Lane& own) {
                return own.drops == first.round.drops;
            });
            if (valid) {
                TRY_VOID(storage::wait_durable(*store_, first.position));
            }
            lanes_.change(first.round.lane, [&](Lane& own) {
                if (own.drops != first.round.drops) {
                    return;
                }
                own.settle(first.keys);
                if (first.ends_round) {
                    own.first = first.round.end;
                    own.since = first.round.begun;  // what is left came behind
                }
            });
            submitted_.pop_front();
        }
        return {};
    }

    storage::Store* store_;
    const Clock* clock_;
    Merge merge_;
    Options options_;
    std::mutex flushing_;    ///< Held by who writes: rows are read, merged, and written.
    std::mutex submitting_;  ///< Held from the look whether a lane was dropped to the submit.
    std::deque<Submitted> submitted_;  ///< Guarded by flushing_.
    runtime::AccountedLanes<Lane> lanes_;
    std::atomic<std::uint64_t> rows_written_ = 0;
};

}  // namespace footfall::projecting
