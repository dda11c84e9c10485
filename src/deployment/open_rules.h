#pragma once

#include "deployment/event_options.h"
#include "foundation/clock.h"
#include "foundation/result.h"
#include "guard/rules.h"
#include "storage/store.h"

namespace footfall::deployment {

/// The rules that a process goes by: its own, registered in the store if it judges; those that
/// others judge by, if it judges nothing on a cluster. `invalid_input` when the rule file is none,
/// or events are kept too shortly for it. Waits for the store.
Result<guard::RuleSet> open_rules(
    storage::Store& store, const Clock& clock, const EventOptions& options
);

}  // namespace footfall::deployment
