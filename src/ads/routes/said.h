#pragma once

#include "ads/ledger.h"
#include "ads/rate_changes.h"
#include "events/control.h"
#include "foundation/result.h"
#include "intake/collector.h"

namespace footfall::ads::routes {

/// What became of a change of a rate.
struct RateAnswer {
    RateOutcome outcome = RateOutcome::recorded;
    Instant recorded{};  ///< If it was.
};

/// Says a change in its party's lane and waits until it was decided there, by whichever process
/// counts the lane, and what follows is durable. Fails as Collector::say(); `outcome_unknown` if
/// nobody decided it in time: saying it again is safe. Blocks.
Result<RateAnswer> say_and_wait(
    Ledger& ledger, intake::Collector& collector, events::RateSaid said
);

/// Says a seal in all lanes, and waits until all have passed it. Fails as above. Blocks.
Result<void> seal_and_wait(Ledger& ledger, intake::Collector& collector, events::MonthSealed said);

/// Says the latest seal in the lanes that lack it, if it was said in some alone, for longer than a
/// minute: whoever said it came to an end between them. Otherwise nothing. A lane that has it by
/// then passes it over. Blocks.
Result<void> complete_seal(Ledger& ledger, intake::Collector& collector);

}  // namespace footfall::ads::routes
