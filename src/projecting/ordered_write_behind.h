#pragma once

#include "foundation/clock.h"
#include "foundation/result.h"
#include "runtime/accounted_lanes.h"
#include "runtime/memory_shares.h"
#include "storage/batch.h"
#include "storage/blocking.h"
#include "storage/store.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace footfall::projecting {

/// What a job keeps of a record until its rows are written.
template <class Entry>
concept KeptInOrder = requires(const Entry& entry) {
    { Entry::offset_of(entry) } -> std::convertible_to<std::uint64_t>;
    /// What it has on the heap.
    { Entry::heap_bytes_of(entry) } -> std::convertible_to<std::size_t>;
    /// Whether its rows say of its lane that all before it is in tables: they are written once that
    /// is durable.
    { Entry::concludes(entry) } -> std::convertible_to<bool>;
};

/// Records that wait for their rows, of each lane in its order: for a job of which one record
/// touches rows of several tables. (Where a record touches one row, WriteBehind keeps changes by
/// row.) Some of all lanes are merged with their rows together, so that a table is read once for
/// all of them. A lane's later records are merged when its earlier ones are durable, so a row that
/// says up to which record it includes (`through`) has all before.
///
/// Of a job it needs one function, Merge. A row has to pass over a record that it includes: after a
/// start, or a loss, records come again.
///
/// Memory: Entry's size and its heap for each, until its rows are durable; booked by
/// runtime::AccountedLanes. Thread-safe; add(), unsaved(), drop_lane() of one lane by one thread at
/// a time, as Projection says.
template <KeptInOrder Entry>
class OrderedWriteBehind {
public:
    /// Records of a lane, in its order.
    struct Part {
        std::uint32_t lane = 0;
        std::span<const Entry> entries = {};
    };

    /// Adds what follows from these to the batch, merged with what rows say. May read and wait. Not
    /// under a mutex of a lane. A lane is there once at most.
    using Merge =
        std::move_only_function<Result<void>(std::span<const Part> parts, storage::Batch& batch)>;

    /// Is told of what has become durable.
    using Written = std::move_only_function<void(std::span<const Part> parts)>;

    struct Options {
        std::chrono::microseconds interval = std::chrono::seconds{1};  ///< Waits so long at least.
        runtime::MemoryShare* memory = nullptr;                        ///< Null: `bytes_max`.
        std::size_t bytes_max = 32 << 20;
        std::size_t memory_percent = 100;      ///< Of `memory`: the job may have other uses for it.
        std::size_t entries_at_once = 16'384;  ///< So many are merged together.
    };

    /// All must outlive it.
    OrderedWriteBehind(
        storage::Store& store, const Clock& clock, Merge merge, Written written, Options options
    )
        : store_{&store},
          clock_{&clock},
          merge_{std::move(merge)},
          written_{std::move(written)},
          options_{options} {}

    /// As Projection::wait_for_room().
    Result<void> wait_for_room() {
        if (has_room()) {
            return {};
        }
        note_short();
        return flush(true);
    }

    /// Has a lane told: calls `tell(add, is_first)`, which calls `add(Entry)` for each record, in
    /// the order of the lane. `is_first`: no record waits with which these will be written and
    /// forgotten, so they may share with none. Never waits for the store.
    template <class Tell>
    void add(std::uint32_t lane, const Tell& tell) {
        const Instant now = clock_->now();
        lanes_.change(lane, [&](Lane& own) {
            tell([&](Entry entry) { own.add(std::move(entry), now); }, own.waiting.empty());
        });
    }

    /// As Projection::flush(); all of it, too, once half the room is taken, so that who brings
    /// records seldom waits for room. A lane with a damaged row (`corrupt`) waits on, and holds no
    /// other one up; any other failure is the store's, and what is left waits for the next call.
    Result<void> flush(bool all) {
        const std::lock_guard alone{flushing_};
        if (!all && bytes() >= room() / 2) {
            note_short();
            all = true;
        }
        // What a flush that failed had taken comes first, and what came since then behind it.
        const bool has_left_over = is_something_written();
        TRY_VOID(flush_once(all));
        return has_left_over ? flush_once(all) : Result<void>{};
    }

    /// As Projection::unsaved().
    std::optional<std::uint64_t> unsaved(std::uint32_t lane) {
        return lanes_.look(lane, [](const Lane& own) { return own.first(); });
    }

    /// As Projection::stored_until().
    Instant stored_until(std::uint32_t lane) {
        const Instant now = clock_->now();
        return lanes_.look(lane, [&](const Lane& own) {
            return own.first() ? std::min(own.begin(), now) : now;
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

    /// Calls `function(const Entry&)` with each that waits of a lane, in its order, under the
    /// lane's mutex: for an answer that is up to date. To be copied before rows are read, so that
    /// what is written meanwhile is in the one or the other.
    template <class Function>
    void look(std::uint32_t lane, const Function& function) {
        lanes_.look(lane, [&](const Lane& own) {
            if (own.writing != nullptr) {
                std::ranges::for_each(*own.writing, function);
            }
            std::ranges::for_each(own.waiting, function);
        });
    }

    /// The same with those from `offset` on.
    template <class Function>
    void look_from(std::uint32_t lane, std::uint64_t offset, const Function& function) {
        lanes_.look(lane, [&](const Lane& own) {
            const auto tell = [&](const Entries& entries) {
                const auto first = std::ranges::lower_bound(entries, offset, {}, Entry::offset_of);
                std::for_each(first, entries.end(), function);
            };
            if (own.writing != nullptr) {
                tell(*own.writing);
            }
            tell(own.waiting);
        });
    }

    /// Records that wait, of all lanes.
    std::size_t waiting() {
        std::size_t entries = 0;
        for (std::uint32_t lane = 0; lane < lane_count; ++lane) {
            entries += lanes_.look(lane, [](const Lane& own) {
                return own.waiting.size() + (own.writing != nullptr ? own.writing->size() : 0);
            });
        }
        return entries;
    }

    std::size_t bytes() const { return lanes_.bytes(); }

    runtime::AccountAudit audit(std::size_t lane) { return lanes_.audit(lane); }

    std::uint64_t rows_written() const { return rows_written_.load(); }

private:
    using Entries = std::vector<Entry>;

    struct Lane {
        Entries waiting = {};
        std::shared_ptr<const Entries> writing = {};  ///< Before those; null: nothing is written.
        Instant since{};                              ///< When the first of `waiting` came,
        Instant writing_since{};                      ///< and of `writing`.
        std::uint64_t drops = 0;
        std::size_t heap = 0;  ///< What the entries have there.

        void add(Entry entry, Instant now) {
            if (waiting.empty()) {
                since = now;
            }
            heap += Entry::heap_bytes_of(entry);
            waiting.push_back(std::move(entry));
        }

        std::optional<std::uint64_t> first() const {
            if (writing != nullptr) {
                return Entry::offset_of(writing->front());
            }
            return waiting.empty() ? std::nullopt
                                   : std::optional{Entry::offset_of(waiting.front())};
        }

        Instant begin() const { return writing != nullptr ? writing_since : since; }

        std::shared_ptr<const Entries> take() {
            if (writing == nullptr) {
                writing = std::make_shared<const Entries>(std::move(waiting));
                writing_since = since;
                waiting = {};
            }
            return writing;
        }

        void settle() {
            heap -= heap_of(*writing);
            writing.reset();
        }

        static std::size_t heap_of(const Entries& entries) {
            std::size_t bytes = 0;
            for (const Entry& each : entries) {
                bytes += Entry::heap_bytes_of(each);
            }
            return bytes;
        }

        std::size_t places() const {
            return waiting.capacity() + (writing != nullptr ? writing->capacity() : 0);
        }

        std::size_t bytes() const { return heap + places() * sizeof(Entry); }

        std::size_t recount() const {
            return heap_of(waiting) + (writing != nullptr ? heap_of(*writing) : 0) +
                   places() * sizeof(Entry);
        }
    };

    static constexpr std::size_t lane_count = runtime::AccountedLanes<Lane>::count;

    /// What is written of a lane in one flush.
    struct Taken {
        std::uint32_t lane = 0;
        std::uint64_t drops = 0;
        std::shared_ptr<const Entries> entries = {};
        std::size_t done = 0;  ///< So many are durable.
    };

    void note_short() {
        if (options_.memory != nullptr) {
            options_.memory->note_short();
        }
    }

    bool has_room() const { return bytes() < room(); }

    std::size_t room() const {
        return options_.memory != nullptr ? options_.memory->bytes() / 100 * options_.memory_percent
                                          : options_.bytes_max;
    }

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
        Result<void> outcome = write_round(round);
        if (!outcome && outcome.error().kind == ErrorKind::corrupt && round.size() > 1) {
            outcome = {};
            for (Taken& each : round) {
                Result<void> of_lane = write_round({&each, 1});
                if (!of_lane && (outcome || of_lane.error().kind != ErrorKind::corrupt)) {
                    outcome = std::move(of_lane);
                }
                if (!outcome && outcome.error().kind != ErrorKind::corrupt) {
                    break;
                }
            }
        }
        return outcome;
    }

    /// What is due. What came later than now, by a clock that was ahead, is.
    std::vector<Taken> take(bool all) {
        const Instant now = clock_->now();
        const Instant due = now - options_.interval;
        std::vector<Taken> round;
        for (std::uint32_t lane = 0; lane < lane_count; ++lane) {
            lanes_.change(lane, [&](Lane& own) {
                if (own.first() && (all || own.begin() <= due || own.begin() > now)) {
                    round.push_back({.lane = lane, .drops = own.drops, .entries = own.take()});
                }
            });
        }
        return round;
    }

    Result<void> write_round(std::span<Taken> round) {
        for (;;) {
            const std::vector<Part> parts = next(round);
            if (parts.empty()) {
                break;
            }
            storage::Batch batch;
            TRY_VOID(merge_(parts, batch));
            TRY(const bool submitted, submit(round, batch));
            if (!submitted) {
                return {};  // a lane was dropped: what is left of the others comes next time
            }
            for (const Part& part : parts) {
                const auto of_lane = std::ranges::find(round, part.lane, &Taken::lane);
                of_lane->done += part.entries.size();
            }
            rows_written_ += batch.size();
            written_(parts);
        }
        for (const Taken& each : round) {
            lanes_.change(each.lane, [&](Lane& own) {
                if (own.drops == each.drops && own.writing != nullptr) {
                    own.settle();
                }
            });
        }
        return {};
    }

    /// The first of these, as far as they may be merged together.
    static std::span<const Entry> together(std::span<const Entry> entries) {
        const auto end = std::ranges::find_if(entries, [&](const Entry& each) {
            return Entry::concludes(each) != Entry::concludes(entries.front());
        });
        return {entries.begin(), end};
    }

    /// The first of these, `most` or a few more: all entries of a record are merged together.
    static std::span<const Entry> some_of(std::span<const Entry> entries, std::size_t most) {
        std::size_t size = std::min(most, entries.size());
        while (size > 0 && size < entries.size() &&
               Entry::offset_of(entries[size]) == Entry::offset_of(entries[size - 1])) {
            ++size;
        }
        return together(entries.first(size));
    }

    /// The next records of as many lanes as are merged at once.
    std::vector<Part> next(std::span<const Taken> round) const {
        std::vector<Part> parts;
        std::size_t left = options_.entries_at_once;
        for (const Taken& each : round) {
            const std::span<const Entry> all{*each.entries};
            const auto some = some_of(all.subspan(each.done), left);
            if (!some.empty()) {
                parts.push_back({.lane = each.lane, .entries = some});
                left -= std::min(left, some.size());
            }
        }
        return parts;
    }

    /// Waits until it is durable. False: a lane was dropped, and nothing was submitted.
    Result<bool> submit(std::span<const Taken> round, const storage::Batch& batch) {
        storage::CommitPosition position = 0;
        {
            const std::lock_guard lock{submitting_};
            for (const Taken& each : round) {
                if (lanes_.look(each.lane, [](const Lane& own) { return own.drops; }) !=
                    each.drops) {
                    return false;
                }
            }
            TRY(position, store_->submit(batch));
        }
        TRY_VOID(storage::wait_durable(*store_, position));
        return true;
    }

    storage::Store* store_;
    const Clock* clock_;
    Merge merge_;  ///< Used with flushing_ held, as the next one.
    Written written_;
    const Options options_;
    runtime::AccountedLanes<Lane> lanes_;
    std::mutex flushing_;    ///< One thread at a time writes.
    std::mutex submitting_;  ///< Held while drops are looked at and a batch is submitted.
    std::atomic<std::uint64_t> rows_written_ = 0;
};

}  // namespace footfall::projecting
