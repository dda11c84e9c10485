#pragma once

#include "foundation/clock.h"
#include "foundation/result.h"
#include "segments/segments.h"
#include "storage/store.h"

#include <chrono>
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace footfall::segments {

/// How many people a segment was, from then on until the next one.
struct SizeThen {
    Instant at{};
    std::uint64_t people = 0;

    friend bool operator==(const SizeThen&, const SizeThen&) = default;
};

/// Sizes of a segment over time.
struct Sizes {
    std::chrono::seconds step{};  ///< A minute or an hour: of each what was counted in it last.
    std::vector<SizeThen> rows;   ///< In their order. The first one may be from before, and holds.
};

/// Sizes of segments over time: where derived, by the minute for two days and by the hour for 400,
/// written when they change, and once a day in any case. A life of a segment has its own.
///
/// keep() is one thread's; read() is anybody's. Blocks. What it is given must outlive it.
class SizeHistory {
public:
    static constexpr std::chrono::days longest{400};

    SizeHistory(Segments& segments, storage::Store& store, const Clock& clock)
        : segments_{&segments}, store_{&store}, clock_{&clock} {}

    SizeHistory(const SizeHistory&) = delete;
    SizeHistory& operator=(const SizeHistory&) = delete;
    ~SizeHistory() = default;

    /// Writes what changed since, at most once a minute; to be called where segments are derived,
    /// often. Failures: as of Segments, the store's; it is tried again at the next call.
    Result<void> keep();

    /// From `from` to `to`, which lie `longest` apart at most: by the minute within the last two
    /// days and for 25 hours at most, else by the hour. `not_found`: there is no such segment.
    Result<Sizes> read(std::string_view name, Instant from, Instant to) const;

private:
    struct Kept {
        std::uint64_t people = 0;
        std::int64_t day = 0;
    };

    Result<void> keep_all(Instant now);

    Segments* segments_;
    storage::Store* store_;
    const Clock* clock_;
    Instant kept_at_{};                              ///< keep()'s thread's own.
    std::unordered_map<std::int64_t, Kept> kept_{};  ///< By number of segment; keep()'s own.
};

}  // namespace footfall::segments
