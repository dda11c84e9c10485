#pragma once

#include "events/event.h"
#include "events/event_keys.h"
#include "events/verdict.h"
#include "foundation/clock.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace footfall::intake {

/// Where an event of the same id stands that came before.
struct EarlierEvent {
    std::uint64_t log = 0;
    std::uint32_t lane = 0;
    std::uint64_t offset = 0;
    std::uint64_t content = 0;
};

/// An event on its way through its lane, with what the store was asked for it, and in the end its
/// verdict. Stands in one place all the way: events are large. A plain value.
struct Arriving {
    events::JudgedEvent judged;
    events::EventKeys keys;
    std::optional<EarlierEvent> earlier = {};  ///< The store's answer, for an event with an id.
    /// The store's answer, where `earlier` says something else: it knows a later event of this id
    /// that says the same.
    bool same_conflict = false;
    /// The store's answer to when its key was counted; absent: it was not asked.
    std::optional<std::vector<Instant>> counted = {};
    /// Since when those who would know such an event know: it may have been counted before that, so
    /// it is refused. Absent: they would know.
    std::optional<events::Evidence> too_old = {};
    bool rates_away = false;  ///< What other processes counted of its keys could not be asked for.

    const events::Event& event() const { return judged.event; }
};

}  // namespace footfall::intake
