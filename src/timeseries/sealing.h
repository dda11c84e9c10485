#pragma once

#include "foundation/clock.h"
#include "foundation/result.h"
#include "storage/batch.h"
#include "storage/store.h"
#include "timeseries/catalogue.h"
#include "timeseries/rolling.h"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <stop_token>
#include <utility>
#include <vector>

namespace footfall::timeseries {

/// After it nobody looks any more, and the hour stays as many rows as it has until they expire: a
/// start looks through so many hours, part by part.
inline constexpr std::chrono::days noted_for{7};
/// A block of more points would take long to decode for whoever wants few of them.
inline constexpr std::size_t block_points_max = 65'536;
/// Of an hour of more there are no cells: some thousand points a second are nobody's.
inline constexpr std::size_t rolled_points_max = 4'000'000;

/// Adds to `batch`, in which points of an hour of a series are written at `now`, that the hour is
/// to be sealed. One such row is enough for all that is written of it within an hour.
void note_unsealed(storage::Batch& batch, SeriesId series, std::chrono::hours hour, Instant now);

/// Makes one block of all rows that an hour of a series has: once the hour in which they were
/// written is over, and again when late ones came. The block has the number of the latest of the
/// rows and takes their place in one batch, so whoever reads, or is killed, or seals beside it,
/// finds the same points before and afterwards (docs/decisions/0103-points-are-written-blind.md).
/// With it the cells of the hour are written (Rolling), before it is forgotten that they are to be.
///
/// seal() is one thread's, blocks, and gives way to other writers; the rest is thread-safe. `store`
/// and `clock` must outlive it.
class Sealing {
public:
    /// What a series is kept in, by its number; nothing: there is no such series (any more), and no
    /// cells are made for it. So who asks knows by then those that others have taken.
    using ResolutionsOf = std::function<std::vector<series::Resolution>(SeriesId)>;

    Sealing(storage::Store& store, const Clock& clock, ResolutionsOf resolutions)
        : store_{&store}, clock_{&clock}, resolutions_{std::move(resolutions)}, rolling_{store} {}

    /// Seals what is to be sealed by now, and goes on where it ended. Ends early when asked to.
    Result<void> seal(const std::stop_token& stop);

    /// Hours of series that became one block, or were found to be one.
    std::uint64_t sealed() const { return sealed_.load(std::memory_order_relaxed); }

    /// Rolling::cells().
    std::uint64_t cells() const { return rolling_.cells(); }

private:
    struct Hour;

    Result<bool> seal_part(
        std::chrono::hours written, std::int64_t part, const std::stop_token& stop
    );
    Result<void> seal_hours(const std::vector<Hour>& hours, std::int64_t written_before);
    Result<void> merge_hour(const Hour& hour, std::int64_t written_before, storage::Batch& batch);
    Result<void> roll_hour(WholeHour whole, std::int64_t written_before, storage::Batch& batch);

    storage::Store* store_;
    const Clock* clock_;
    const ResolutionsOf resolutions_;
    Rolling rolling_;
    std::chrono::hours next_{0};  ///< The first that may have something left; 0: not looked yet.
    std::atomic<std::uint64_t> sealed_ = 0;
};

}  // namespace footfall::timeseries
