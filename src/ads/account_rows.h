#pragma once

#include "ads/account.h"
#include "ads/income_report.h"
#include "ads/ledger.h"
#include "foundation/result.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// Accounts and days as rows and what waits for its rows have them together. All of it blocks.

namespace footfall::ads {

/// The rows and the waiting lines that an account is made of.
Result<CellsByKey<MonthRows>> read_months(
    Ledger& ledger,
    PartyKind kind,
    std::string_view party,
    std::string_view currency,
    std::span<const WaitingLine> waiting
);

Account account_of(const CellsByKey<MonthRows>& months);

/// What is booked of a party in a currency.
Result<Account> read_account(
    Ledger& ledger,
    PartyKind kind,
    std::string_view party,
    std::string_view currency,
    std::span<const WaitingLine> waiting
);

/// An account, and the lines of its party that wait for their rows.
struct AccountAsked {
    std::string party;
    std::string currency;
    std::span<const WaitingLine> waiting;
};

/// Gives `function(at, account)`, which answers a Result<void>, each of these accounts in their
/// order; rows of some are read side by side.
Result<void> read_accounts(
    Ledger& ledger,
    PartyKind kind,
    std::span<const AccountAsked> asked,
    const std::function<Result<void>(std::size_t at, const Account& account)>& function
);

/// What had arrived of one by the end of a ledger day.
Result<Account> read_account_as_of(
    Ledger& ledger,
    PartyKind kind,
    std::string_view party,
    std::string_view currency,
    std::span<const WaitingLine> waiting,
    Day as_of
);

/// Ledger days of which moments may lie in these days of whatever zone: clocks are up to 26 hours
/// apart.
inline DayRange ledger_days_of(DayRange range) {
    return {.from = range.from - 2, .to = range.to + 2};
}

/// A row of a day: what was booked in a month of it.
struct DayRow {
    Day day = 0;
    Month booked = 0;
    Day arrived = 0;
    DayCell cell;
};

/// Rows of ledger days from range.from to range.to.
Result<std::vector<DayRow>> read_day_rows(
    Ledger& ledger,
    PartyKind kind,
    std::string_view party,
    std::string_view currency,
    DayRange range,
    std::span<const WaitingLine> waiting
);

/// What was known, and when, of the days of the range that changes of the rate may have moved at
/// once: those before one was recorded, of months that are not sealed.
Result<KnownByDay> read_known(
    Ledger& ledger,
    PartyKind kind,
    std::string_view party,
    std::string_view currency,
    const Rates& rates,
    std::optional<Month> sealed,
    DayRange range,
    std::span<const WaitingLine> waiting
);

/// A row of clicks of an ad.
struct AdDayRow {
    Day day = 0;
    std::string currency;
    DayCell cell;
};

Result<std::vector<AdDayRow>> read_ad_days(
    Ledger& ledger, std::string_view ad, DayRange range, std::span<const WaitingLine> waiting
);

/// What a party has by ad or other party, of ledger days of the range, booked in their own month.
struct NamedAmounts {
    std::string name;
    Day day = 0;
    Day arrived = 0;
    AmountsByQuarter quarters;
};

Result<std::vector<NamedAmounts>> read_by_name(
    Ledger& ledger,
    PartyKind kind,
    std::string_view party,
    std::string_view currency,
    DayRange range,
    bool by_ad,
    std::span<const WaitingLine> waiting
);

}  // namespace footfall::ads
