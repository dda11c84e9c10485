#pragma once

#include "foundation/clock.h"
#include "foundation/result.h"
#include "projecting/owners.h"
#include "projecting/projection.h"
#include "runtime/lanes.h"
#include "runtime/memory_shares.h"
#include "storage/store.h"

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

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
/// that is written.
///
/// Memory: 8 bytes for each event that waits, up to 32 while vectors grow and a lane is written;
/// more events wait for those to be written, once they take their share. Thread-safe as Projection
/// says; the store and the clock must outlive it.
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
        const runtime::MemoryShare* memory = nullptr
    )
        : store_{&store}, clock_{&clock}, owners_{owners}, memory_{memory} {}

    Result<void> wait_for_room() override;
    void apply(std::uint32_t lane, std::span<const projecting::JudgedRecord> records) override;

    /// Counts the same whatever rules are in force.
    void control(std::uint32_t, std::uint64_t, const events::Control&) override {}

    Result<void> flush(bool all) override;
    std::optional<std::uint64_t> unsaved(std::uint32_t lane) override;
    Instant stored_until(std::uint32_t lane) override;
    Result<std::string> answer(std::uint32_t lane, std::string_view question) override;
    void drop() override;
    void drop_lane(std::uint32_t lane) override;
    Result<void> expire(std::uint32_t lane, std::span<const projecting::JudgedRecord> records)
        override;

    /// All events of days from `first_day` on, of all lanes, those that are in no row yet as well.
    /// Waits.
    Result<Totals> totals(std::int64_t first_day);

    std::size_t waiting() const { return waiting_.load(); }

    std::uint64_t rows_written() const { return rows_written_.load(); }

private:
    /// Offsets of events that are in no row for sure; each key's in order.
    using Waiting = std::map<Key, std::vector<std::uint64_t>>;

    struct Lane {
        Waiting waiting;
        Instant since{};          ///< When the first of them came, if there are any.
        std::uint64_t drops = 0;  ///< So often what waited was forgotten.
    };

    static std::string written(const Waiting& waiting);
    static Result<Waiting> read(std::string_view bytes);
    Result<void> flush_lane(std::uint32_t lane);
    void forget(Lane& lane);

    storage::Store* store_;
    const Clock* clock_;
    projecting::Owners* owners_;
    const runtime::MemoryShare* memory_;
    std::mutex flushing_;  ///< Held by who writes: rows are read, counted on, and written.
    std::mutex mutex_;
    std::array<Lane, runtime::lane_count> lanes_;  ///< Guarded by mutex_.
    std::atomic<std::size_t> waiting_ = 0;
    std::atomic<std::uint64_t> rows_written_ = 0;
};

}  // namespace footfall::tally
