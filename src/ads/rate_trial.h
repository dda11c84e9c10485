#pragma once

#include "ads/income_report.h"
#include "ads/ledger.h"
#include "ads/rate_changes.h"
#include "events/control.h"
#include "foundation/result.h"

#include <cstdint>
#include <string>
#include <vector>

namespace footfall::ads {

/// What changing a rate would move.
struct Movement {
    std::string currency;
    std::uint64_t days = 0;  ///< That are worth something else then.
    DayRange range;          ///< The first and the last of them.
    WideMicros before = 0;   ///< What they are worth together.
    WideMicros after = 0;
};

struct DryRun {
    RateOutcome outcome = RateOutcome::recorded;
    std::vector<Movement> movements;  ///< By currency; those where something moves.
};

/// What would follow if this were said now. Changes nothing. Blocks.
Result<DryRun> try_rate(Ledger& ledger, const events::RateSaid& said);

}  // namespace footfall::ads
