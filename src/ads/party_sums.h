#pragma once

#include "ads/ledger.h"
#include "foundation/result.h"

#include <cstddef>
#include <map>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

// Lists of parties with their sums. All of it blocks.

namespace footfall::ads {

/// A party with its sums of all time, whatever month they are booked in, by currency.
struct PartySums {
    std::string party;
    std::map<std::string, Amounts> by_currency;
};

/// The parties with the largest amounts in a currency, the largest first, by what rows say.
Result<std::vector<PartySums>> largest_parties(
    Ledger& ledger,
    PartyKind kind,
    std::string_view currency,
    std::size_t most,
    const std::stop_token& stop
);

struct ListedSums {
    std::vector<PartySums> parties;
    bool more = false;  ///< There are more behind the last one.
};

/// As Parties::list(), with the sums of each; what waits for its rows is in them, also who has just
/// come for the first time.
Result<ListedSums> list_sums(
    Ledger& ledger,
    PartyKind kind,
    std::string_view prefix,
    std::string_view after,
    std::size_t most
);

}  // namespace footfall::ads
