#pragma once

#include "ads/income_report.h"
#include "ads/ledger.h"
#include "foundation/result.h"

#include <cstddef>
#include <map>
#include <set>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

// What all parties have together. All of it looks at every party, and blocks accordingly.

namespace footfall::ads {

/// Calls `function(const Parties::Named&)`, which answers a Result<void>, with each party of a
/// kind. `cancelled` soon after `stop` is asked to, as all below.
template <class Function>
Result<void> for_each_party(
    Ledger& ledger, PartyKind kind, const std::stop_token& stop, const Function& function
) {
    constexpr std::size_t at_once = 500;
    std::string after;
    for (bool more = true; more;) {
        TRY(const Parties::Listed some, ledger.parties().list(kind, "", after, at_once));
        for (const Parties::Named& each : some.parties) {
            if (stop.stop_requested()) {
                return fail(ErrorKind::cancelled, "nobody waits for the answer any more");
            }
            TRY_VOID(function(each));
        }
        more = some.more && !some.parties.empty();
        after = some.parties.empty() ? "" : some.parties.back().party;
    }
    return {};
}

/// Who gets what of the amounts of a range of ledger days.
struct Split {
    DayRange range;
    WideMicros amount = 0;
    WideMicros resellers = 0;
    WideMicros publishers = 0;
    bool provisional = false;

    WideMicros network() const { return amount - resellers - publishers; }
};

/// All of the ledger's currencies.
Result<std::set<std::string>> ledger_currencies(Ledger& ledger, const std::stop_token& stop);

/// `range` absent: since the first event, to today. Each party's income is rounded as its own
/// report is.
Result<Split> split_of(
    Ledger& ledger,
    std::string_view currency,
    std::optional<DayRange> range,
    const std::stop_token& stop
);

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
