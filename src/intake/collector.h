#pragma once

#include "events/control.h"
#include "events/event.h"
#include "events/verdict.h"
#include "foundation/clock.h"
#include "foundation/result.h"
#include "journal/writer.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace footfall::intake {

/// Events that came together, each of which may be taken (events::tidy_event).
struct Arrived {
    std::vector<events::Event> events;
    Instant arrival{};
    events::Door door = events::Door::trusted_door;
    std::string machine_sign = {};  ///< As of events::JudgedEvent.
};

/// What became of events that came together.
struct Taken {
    std::uint64_t duplicates = 0;  ///< Of those given, were there already, as far as is known yet.
    std::uint64_t refused = 0;     ///< Of those given, do not count, as far as is known yet.
    /// Once this is durable in the collector's log the events may be answered for.
    storage::CommitPosition position = 0;

    /// A failure behind this: of an outcome nobody knows if anything was appended before it.
    Error failure(Error cause) const {
        if (position != 0) {
            cause.kind = ErrorKind::outcome_unknown;
        }
        return cause;
    }
};

/// Where events go that came in by a door. Thread-safe.
class Collector {
public:
    Collector() = default;
    Collector(const Collector&) = delete;
    Collector& operator=(const Collector&) = delete;
    virtual ~Collector() = default;

    /// Takes all events. May wait: only on threads that may. Failures: `outcome_unknown` (some may
    /// have been taken; those with an id can be sent again), any other: none was taken.
    virtual Result<Taken> collect(Arrived arrived) = 0;

    /// Says controls of those that come from outside (events::is_said), each in its lane, in order
    /// with its events: what is collected afterwards stands behind them. Durable when this returns:
    /// it waits once for all, and as collect() does. Failures: `outcome_unknown` (some may have
    /// been said, or all), any other: none was. The lane of a name is that of an object of this
    /// name: events::lane_of().
    virtual Result<void> say_each(std::span<const events::ControlInLane> controls) = 0;

    /// The same of one in each of these lanes.
    Result<void> say(const events::Control& control, std::span<const std::uint32_t> lanes) {
        std::vector<events::ControlInLane> controls;
        controls.reserve(lanes.size());
        for (const std::uint32_t lane : lanes) {
            controls.push_back({.lane = lane, .control = control});
        }
        return say_each(controls);
    }

    /// Where they are appended: by it is known when they may be answered for.
    virtual journal::Writer& writer() = 0;

    /// Success while events are taken; else why not.
    virtual Result<void> health() const = 0;
};

}  // namespace footfall::intake
