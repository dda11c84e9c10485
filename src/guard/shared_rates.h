#pragma once

#include "foundation/clock.h"
#include "guard/rate.h"

#include <span>

namespace footfall::guard {

/// Asks for the counted events of a key that are later than `after`, in the part of time that this
/// is in (rate_part) and in the next one: there is the window that begins with it.
struct RateQuestion {
    RateKey of;
    Instant after{};
};

/// The event at `place` was counted.
struct RateNote {
    RateKey of;
    Instant time{};
    EventPlace place;
};

/// What the processes of a deployment tell each other for rules on rates: of each key and part of
/// time the newest of its counted events, one more than its limit, whoever counted them. As in
/// RateState noting one twice changes nothing, and time is that of the events.
///
/// It is beside a process's own RateState, not in its place: what it answers is noted there before
/// events are judged, so that judging waits for nobody, and events of one batch see each other.
/// Two processes that judge events of one key at the same moment do not see each other's.
///
/// Thread-safe.
class SharedRates {
public:
    SharedRates() = default;
    SharedRates(const SharedRates&) = delete;
    SharedRates& operator=(const SharedRates&) = delete;
    virtual ~SharedRates() = default;

    /// Notes in `own` what was counted of these keys. Waits, for a bounded time: only on threads
    /// that may. False: it is away, and `own` may lack what others counted.
    virtual bool ask(std::span<const RateQuestion> questions, RateState& own) = 0;

    /// Tells the others. Never waits: what cannot be told in time is dropped in the end.
    virtual void note(std::span<const RateNote> notes) = 0;

    /// Waits until what was noted before was told or dropped, or it is away: for replays, which
    /// note much at once.
    virtual void settle() = 0;
};

}  // namespace footfall::guard
