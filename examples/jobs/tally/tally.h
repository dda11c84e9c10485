#pragma once

#include "foundation/clock.h"
#include "foundation/result.h"
#include "projecting/owners.h"
#include "projecting/projection.h"
#include "projecting/write_behind.h"
#include "runtime/memory_shares.h"
#include "storage/store.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace footfall::tally {

/// An action, and a UTC day, by days since 1970-01-01.
using Key = std::pair<std::string, std::int64_t>;

/// What a row says.
struct Cell {
    std::uint64_t events = 0;
    std::uint64_t through = 0;  ///< Behind the last event that is included.

    /// Each event once, in the order of its lane.
    void add(std::uint64_t offset) {
        if (offset >= through) {
            ++events;
            through = offset + 1;
        }
    }
};

using Cells = std::map<Key, Cell>;

/// As projecting::WriteBehind keeps what waits: offsets of events, by key.
struct WaitingCell {
    using Key = tally::Key;
    using Change = std::uint64_t;  ///< An offset.

    static std::size_t heap_bytes(const Key& key) {
        const std::size_t capacity = key.first.capacity();
        return capacity > std::string{}.capacity() ? capacity + 1 : 0;
    }

    static std::uint64_t offset_of(Change offset) { return offset; }
};

using WriteBehind = projecting::WriteBehind<WaitingCell>;

/// The rows of a lane, of either table. Waits.
Result<Cells> read_cells(storage::Store& store, const storage::Table& table, std::uint32_t lane);

/// The key of an event.
Key key_of(const events::JudgedEvent& judged);

/// Events by action and day, with their sums.
struct Totals {
    std::map<Key, std::uint64_t> events;
    bool provisional = false;  ///< Whoever counts some of it did not answer.
};

/// A job at its simplest: how many events there are of each action on each day, refused ones as
/// well. Nothing is read when an event comes: its offset waits, and is merged with its row when
/// that is written (projecting::WriteBehind, which says what it takes of memory).
///
/// Thread-safe as Projection says; the store and the clock must outlive it.
class Tally final : public projecting::Projection {
public:
    /// The name under which owners are asked.
    static constexpr std::string_view name = "tally";

    /// `owners`: who counts lanes that are not counted here; null: all are. `memory`: what events
    /// that wait may take; null: 32 MiB. All must outlive it.
    Tally(
        storage::Store& store,
        const Clock& clock,
        projecting::Owners* owners = nullptr,
        runtime::MemoryShare* memory = nullptr
    )
        : store_{&store},
          owners_{owners},
          waiting_{store, clock, merge_into(store), {.memory = memory}} {}

    Result<void> wait_for_room() override { return waiting_.wait_for_room(); }

    void apply(std::uint32_t lane, std::span<const projecting::JudgedRecord> records) override;

    /// Counts the same whatever rules are in force.
    void control(std::uint32_t, std::uint64_t, const events::Control&) override {}

    Result<void> flush(bool all) override { return waiting_.flush(all); }

    std::optional<std::uint64_t> unsaved(std::uint32_t lane) override {
        return waiting_.unsaved(lane);
    }

    Instant stored_until(std::uint32_t lane) override { return waiting_.stored_until(lane); }

    Result<std::string> answer(std::uint32_t lane, std::string_view question) override;

    void drop() override { waiting_.drop(); }

    void drop_lane(std::uint32_t lane) override { waiting_.drop_lane(lane); }

    Result<void> expire(std::uint32_t lane, std::span<const projecting::JudgedRecord> records)
        override;

    /// All events of days from `first_day` on, of all lanes, those that are in no row yet as well.
    /// Waits.
    Result<Totals> totals(std::int64_t first_day);

    /// What waits for its rows.
    WriteBehind& waiting() { return waiting_; }

private:
    static WriteBehind::Merge merge_into(storage::Store& store);
    static std::string written(const WriteBehind::Waiting& waiting);
    static Result<WriteBehind::Waiting> read(std::string_view bytes);

    storage::Store* store_;
    projecting::Owners* owners_;
    WriteBehind waiting_;
};

}  // namespace footfall::tally
