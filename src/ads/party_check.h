#pragma once

#include "ads/recounted_clicks.h"
#include "events/control.h"
#include "foundation/result.h"
#include "foundation/time_zone.h"
#include "storage/store.h"

#include <functional>
#include <set>
#include <string>
#include <vector>

namespace footfall::ads {

/// A party whose rows are held to each other, of all writers, without any log.
struct CheckedParty {
    events::PartyKind kind = events::PartyKind::reseller;
    std::string party;
    std::set<std::string> currencies;
};

/// What must hold among a party's rows whatever the log has lost, and a sentence for each that does
/// not: a month, the sum of its days and the sum of its ads are the same amounts; a day is the sum
/// of its quarter-hours. Of a reseller, days and ads are the sums of its rows of ad_click in the
/// quarter-hours that they name, for days on which these are `kept`; of a publisher, each row by ad
/// is the same as its reseller's.
///
/// Rows that are written meanwhile may seem to differ: what is said twice, a moment apart, does.
/// Memory: the rows of a party by day. Cost: reads them all, and of a reseller every row of
/// ad_click: a short read for each quarter-hour with events. Blocks.
Result<std::vector<std::string>> check_party(
    storage::Store& store, const CheckedParty& checked, const TimeZone& zone, const ClicksKept& kept
);

/// Calls `each` with all parties of the lane of names. Blocks.
Result<void> for_each_listed(
    storage::Store& store,
    events::PartyKind kind,
    std::uint32_t lane,
    const std::function<Result<void>(const CheckedParty&)>& each
);

}  // namespace footfall::ads
