#pragma once

#include "foundation/clock.h"
#include "foundation/result.h"
#include "people/day_keys.h"
#include "storage/store.h"

#include <chrono>
#include <optional>

namespace footfall::people {

/// Sees to it that keys which are destroyed, of readers and of days, are in no file of the store an
/// hour later at the latest. Not thread-safe. All must outlive it.
class KeyCare {
public:
    /// Between two turns.
    static constexpr std::chrono::minutes usual_period{10};
    static constexpr std::chrono::minutes shred_every{30};

    KeyCare(DayKeys& days, storage::Store& store, const Clock& clock)
        : days_{&days}, store_{&store}, clock_{&clock} {}

    /// Turns the keys of days, and has the store shred what is gone: the first time, since nobody
    /// knows what an earlier process left, and whenever it is due. Blocks.
    Result<void> turn();

private:
    bool is_due(Instant now) const;

    DayKeys* days_;
    storage::Store* store_;
    const Clock* clock_;
    std::optional<Instant> shredded_;
};

}  // namespace footfall::people
