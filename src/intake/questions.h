#pragma once

#include "foundation/result.h"
#include "guard/rate.h"
#include "guard/rules.h"
#include "guard/shared_rates.h"
#include "intake/arrivals.h"
#include "intake/arriving.h"
#include "intake/kept_events.h"
#include "journal/log_reader.h"
#include "storage/store.h"

#include <array>
#include <chrono>
#include <cstddef>
#include <span>

namespace footfall::intake {

struct Context;
class KnownSince;

/// Which rows of ids and repeats still stand for their events. Those that expire do until an event
/// arrives later than that, which is not asked of the clock: whoever judges that event again finds
/// the same. The others do as long as their record is in its log. Thread-safe.
class StandingRows {
public:
    /// Where no log is known a row without an expiry stands.
    StandingRows() = default;

    explicit StandingRows(const Context& context);

    bool stands(const storage::Rows& rows, std::size_t row, Instant arrival) const;

    /// The same of a row that does not expire.
    bool is_in_log(const storage::Rows& rows, std::size_t row) const;

private:
    std::array<const journal::LogReader*, 2> logs_{};  ///< Null: none.
};

/// Asks the store where events with an id came before, and sets `earlier` of those; and, of those
/// that say something else, whether it knows them too, which sets `same_conflict`. `secret` is that
/// of their keys. Waits.
Result<void> ask_for_ids(
    storage::Store& store,
    const StandingRows& standing,
    std::span<Arriving* const> events,
    SipKey secret
);

/// Asks the store when the keys of these events were counted, less than `reach` from each, and sets
/// `counted`. Waits.
Result<void> ask_for_times(
    storage::Store& store,
    const StandingRows& standing,
    std::span<Arriving* const> events,
    std::chrono::microseconds reach
);

/// Asks those who keep events for longer than ids are known, of events whose ids may have come and
/// been let go (KeptEvents::ask()). After ask_for_ids(). Waits.
Result<void> ask_for_kept(
    std::span<KeptEvents* const> keepers, KnownSince& known_since, const Arrivals& arrivals
);

/// Notes in `own` what other processes counted of whom rules on rates limit, or sets `rates_away`
/// of those of whom this is not known. Waits.
void ask_for_rates(
    guard::SharedRates& shared,
    const guard::RuleSet& rules,
    guard::RateState& own,
    std::span<Arriving* const> events
);

}  // namespace footfall::intake
