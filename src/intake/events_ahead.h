#pragma once

#include "foundation/clock_watch.h"
#include "foundation/result.h"
#include "intake/lane_judge.h"
#include "intake/old_events.h"

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace footfall::intake {

/// Finds events that a clock which was ahead gave their arrival. They would be kept for too long,
/// and all behind them in their lane, since a lane goes in its order.
///
/// Two things tell. Events behind it are old, and the first behind those says that it came before
/// it, too: then all are old. (Were it later, a clock would have been behind for those, and this
/// one right.) Or it says that it is still to come: it goes when it has been seen to say so for as
/// long as events are kept. The first is a matter of the log alone; the second is forgotten when
/// the program ends, and begins anew.
///
/// Of one thread; the context must outlive it.
class EventsAhead {
public:
    EventsAhead(const Context& context, std::chrono::seconds keep)
        : context_{&context}, keep_{keep} {}

    /// To where all of the lane is old, whatever it says, of what stands before `end`; 0: nothing
    /// is. `first`: with which the lane begins, too young for `before`, as it says. Reads up to a
    /// thousand records, and some single ones. Waits for the log.
    Result<std::uint64_t> all_old_to(
        std::uint32_t lane, const OldEvents::Young& first, std::uint64_t end, Instant before
    );

private:
    struct Arrival {
        std::uint64_t offset;
        Instant instant;
    };

    /// All of the lane before `end` was there at this time.
    struct SeenAhead {
        std::uint64_t end = 0;
        Instant at{};
    };

    struct Lane;

    Result<std::vector<Arrival>> arrivals(const Lane& lane, std::uint64_t from, std::size_t most)
        const;
    bool is_old(const Lane& lane, const Arrival& arrival) const;
    std::uint64_t old_among(const Lane& lane, std::span<const Arrival> arrivals) const;
    Result<std::uint64_t> old_further_on(const Lane& lane, std::uint64_t from) const;
    std::uint64_t seen_for_long(const Lane& lane, std::span<const Arrival> arrivals);

    const Context* context_;
    const std::chrono::seconds keep_;
    std::array<std::optional<SeenAhead>, runtime::lane_count> seen_{};
};

}  // namespace footfall::intake
