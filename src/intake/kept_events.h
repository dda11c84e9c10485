#pragma once

#include "events/event.h"
#include "foundation/result.h"
#include "intake/arriving.h"

#include <span>

namespace footfall::intake {

/// What a job keeps of its events for longer than their ids are known: who sends one again after
/// its id was let go is told from whoever sends it for the first time. Thread-safe.
class KeptEvents {
public:
    KeptEvents() = default;
    KeptEvents(const KeptEvents&) = delete;
    KeptEvents& operator=(const KeptEvents&) = delete;
    virtual ~KeptEvents() = default;

    /// Whether it keeps such events. Pure, and cheap.
    virtual bool keeps(const events::Event& event) const = 0;

    /// Of events that it keeps, which are so old that their ids may have been let go: sets
    /// `earlier` of those that it has, and `too_old` of those that it may have had, but has let go
    /// as well. Waits.
    virtual Result<void> ask(std::span<Arriving* const> events) = 0;
};

}  // namespace footfall::intake
