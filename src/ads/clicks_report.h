#pragma once

#include "ads/income_report.h"
#include "ads/ledger.h"
#include "ads/line_wire.h"
#include "foundation/result.h"
#include "foundation/time_zone.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace footfall::ads {

/// Clicks of a party or an ad.
struct ClicksQuestion {
    LinesAsked of;
    std::optional<DayRange> range;
    std::optional<TimeZone> zone;  ///< Absent: the ledger's.
};

/// Numbers of refused events by reason.
using Refusals = std::map<std::string, std::uint64_t, std::less<>>;

struct ClicksDay {
    Day day = 0;
    Amounts amounts;  ///< Of all currencies; its amount says nothing then.
    Refusals refused;
};

struct ClicksAnswer {
    std::vector<ClicksDay> days;  ///< Ascending; those with events.
    Amounts counts;
    Refusals refused;
    std::map<std::string, WideMicros> amounts;  ///< By currency.
    bool provisional = false;
};

/// By the day of the event, whenever it arrived and was booked. Nothing is known: it has no days.
/// Blocks.
Result<ClicksAnswer> clicks_of(Ledger& ledger, const ClicksQuestion& question);

}  // namespace footfall::ads
