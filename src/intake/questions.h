#pragma once

#include "foundation/result.h"
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

}  // namespace footfall::intake
