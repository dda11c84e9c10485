#pragma once

#include "foundation/result.h"
#include "guard/rate.h"
#include "guard/rules.h"
#include "guard/shared_rates.h"
#include "intake/arriving.h"
#include "storage/store.h"

#include <chrono>
#include <span>

namespace footfall::intake {

/// Asks the store where events with an id came before, and sets `earlier` of those. Waits.
Result<void> ask_for_ids(storage::Store& store, std::span<Arriving* const> events);

/// Asks the store when the keys of these events were counted, less than `reach` from each, and sets
/// `counted`. Waits.
Result<void> ask_for_times(
    storage::Store& store, std::span<Arriving* const> events, std::chrono::microseconds reach
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
