#pragma once

#include "erasure/ledger.h"
#include "events/event.h"
#include "foundation/result.h"
#include "people/people.h"
#include "storage/store.h"

#include <span>
#include <stop_token>

namespace footfall::people {

/// Withdraws all that the actors among these ids said: they are off, share nothing, list nobody,
/// and the keys of what they shared are destroyed. Blocks.
Result<void> erase_people(People& people, std::span<const events::Identifier> ids);

/// The same of all whom the ledger has, and takes them off the lists of others; also what was told
/// other processes of them. Whoever said something since is somebody new, and stays. Costs reading
/// all tables of people. Failures: the store's; `cancelled`. Blocks.
Result<void> sweep_people(
    storage::Store& store,
    People& people,
    const erasure::Ledger& ledger,
    const std::stop_token& stop
);

}  // namespace footfall::people
