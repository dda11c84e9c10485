#pragma once

#include "ads/income_report.h"
#include "ads/ledger.h"
#include "ads/rate_changes.h"
#include "foundation/clock.h"
#include "foundation/result.h"
#include "foundation/time_zone.h"

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::ads {

/// By what the rows of an income are grouped.
enum class Grouping : std::uint8_t { none, day, month, hour, ad, other_party };

/// What is asked of a party.
struct IncomeQuestion {
    static constexpr int longest_range = 3700;  ///< Days, where there is a row for each.
    static constexpr int longest_range_by_hour = 31;

    PartyKind kind = PartyKind::reseller;
    std::string party;
    std::string currency;
    std::optional<DayRange> range;  ///< Of days in `zone`; absent: since the first event, to today.
    std::optional<Day> as_of;       ///< By what was known at the end of that ledger day.
    std::optional<TimeZone> zone;   ///< Absent: the ledger's.
    Grouping group_by = Grouping::day;
};

/// A row of another grouping than by day.
struct Group {
    std::string name;  ///< Of an ad or a party.
    Day day = 0;       ///< The first of a month.
    Instant begin{};   ///< Of an hour.
    Amounts amounts;
    WideMicros income = 0;
};

struct IncomeAnswer {
    DayRange range;
    IncomeReport report;
    std::vector<Group> groups;    ///< They add up to report.earned.
    std::optional<Month> sealed;  ///< The last sealed month, as of then.
    RateHistory rates;            ///< Who recorded what, for the adjustments.
    bool provisional = false;
};

/// In which currencies there is something of a party; "" stands for rates alone. Empty: nobody
/// knows it. Blocks.
Result<std::set<std::string>> currencies_of(Ledger& ledger, PartyKind kind, std::string_view party);

/// The answer of the party's page (PartyPages), where one can say it: rows of no kind are asked
/// for, in the ledger's zone, by all that is known. `may_wait`: makes the page if it is not here;
/// else it never waits for the store.
Result<std::optional<IncomeAnswer>> income_from_page(
    Ledger& ledger, const IncomeQuestion& question, bool may_wait
);

/// Blocks: a read for the months of the account, more where rows are finer than days.
/// `invalid_input`: the range is none, or too long for its rows.
Result<IncomeAnswer> income_of(Ledger& ledger, const IncomeQuestion& question);

}  // namespace footfall::ads
