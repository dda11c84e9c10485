#pragma once

#include "foundation/clock.h"
#include "foundation/result.h"
#include "storage/batch.h"
#include "storage/store.h"
#include "timeseries/catalogue.h"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <vector>

namespace footfall::timeseries {

/// Adds to `batch`, in which points of an hour of a series are written at `now`, that the hour is
/// to be sealed. One such row is enough for all that is written of it within an hour.
void note_unsealed(storage::Batch& batch, SeriesId series, std::chrono::hours hour, Instant now);

/// Makes one block of all rows that an hour of a series has: once the hour in which they were
/// written is over, and again when late ones came. The block has the number of the latest of the
/// rows and takes their place in one batch, so whoever reads, or is killed, or seals beside it,
/// finds the same points before and afterwards (docs/decisions/0103-points-are-written-blind.md).
///
/// seal() is one thread's, blocks, and gives way to other writers; the rest is thread-safe. `store`
/// and `clock` must outlive it.
class Sealing {
public:
    Sealing(storage::Store& store, const Clock& clock) : store_{&store}, clock_{&clock} {}

    /// Seals what is to be sealed by now, and goes on where it ended. Ends early when asked to.
    Result<void> seal(const std::stop_token& stop);

    /// Hours of series that became one block, or were found to be one.
    std::uint64_t sealed() const { return sealed_.load(std::memory_order_relaxed); }

private:
    struct Hour;

    Result<bool> seal_part(
        std::chrono::hours written, std::int64_t part, const std::stop_token& stop
    );
    Result<void> seal_hours(const std::vector<Hour>& hours, std::int64_t written_before);
    Result<void> merge_hour(const Hour& hour, std::int64_t written_before, storage::Batch& batch);

    storage::Store* store_;
    const Clock* clock_;
    std::chrono::hours next_{0};  ///< The first that may have something left; 0: not looked yet.
    std::atomic<std::uint64_t> sealed_ = 0;
};

}  // namespace footfall::timeseries
