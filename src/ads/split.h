#pragma once

#include "ads/income_report.h"
#include "ads/ledger.h"
#include "foundation/result.h"

#include <cstddef>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <string_view>

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

/// All of the ledger's currencies, also of what waits for its rows.
Result<std::set<std::string>> ledger_currencies(Ledger& ledger, const std::stop_token& stop);

/// `range` absent: since the first event, to today. Each party's income is rounded as its own
/// report is.
Result<Split> split_of(
    Ledger& ledger,
    std::string_view currency,
    std::optional<DayRange> range,
    const std::stop_token& stop
);

}  // namespace footfall::ads
