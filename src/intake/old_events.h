#pragma once

#include "events/source_order.h"
#include "foundation/clock.h"
#include "foundation/result.h"
#include "intake/arriving.h"
#include "intake/lane_judge.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace footfall::intake {

/// Reads a lane from where it begins, as far as its events are old, in steps: what may go.
///
/// A lane may begin afterwards only with a record of which everybody who begins there knows that it
/// is a new event. With one that SourceOrder passes over it may not: who has not seen what that one
/// repeats would take it for an event. So where records name their sources a step ends before a new
/// event that is there already, and the last event of a lane stays until another one follows.
///
/// Control records go with events of their step: as long as no event has gone, a lane begins with
/// its first record, and who counts it again knows that nothing is missing.
///
/// Of one thread; the context must outlive it.
class OldEvents {
public:
    /// What is old: what arrived before `before`, as it says, and what stands before `all_to`,
    /// whatever it says (EventsAhead).
    struct Limit {
        Instant before;
        std::uint64_t all_to = 0;
    };

    /// Nothing of `bound` or behind it may go.
    OldEvents(const Context& context, std::uint32_t lane, std::uint64_t bound, Limit limit)
        : context_{&context}, lane_{lane}, bound_{bound}, limit_{limit} {}

    /// What goes of the lane with one step: its records from `begin` on, before `next`. Events that
    /// repeat another are not among `events`.
    struct Step {
        std::uint64_t begin = 0;
        std::uint64_t next = 0;  ///< As `begin`: nothing more may go.
        std::vector<Arriving> events = {};
        std::vector<std::uint64_t> offsets = {};  ///< Of each event.
    };

    /// Waits for the log.
    Result<Step> next();

    struct Young {
        std::uint64_t offset;
        Instant arrival;
    };

    /// The first event that is too young; absent: none was met.
    std::optional<Young> young() const { return young_; }

private:
    struct Place {
        std::uint64_t offset;
        Arriving event;
    };

    Result<void> read_page(Step& step);
    bool take(std::uint64_t offset, events::LogRecord record, Step& step);

    const Context* context_;
    const std::uint32_t lane_;
    const std::uint64_t bound_;
    const Limit limit_;
    std::optional<std::uint64_t> at_ = {};  ///< What is read next; absent: nothing was read.
    std::uint64_t cut_ = 0;                 ///< The lane may begin here.
    bool ended_ = false;
    events::SourceOrder sources_;
    std::optional<Place> last_;  ///< An old event; whether a new one follows it is not known yet.
    std::optional<Young> young_;
};

}  // namespace footfall::intake
