#include "ads/account_rows.h"

#include "ads/cells.h"
#include "ads/gathered.h"
#include "ads/schema.h"

#include <algorithm>
#include <utility>

namespace footfall::ads {
namespace {

using Key = std::vector<storage::Value>;

Day day_at(const Key& key, std::size_t column) {
    return static_cast<Day>(std::get<std::int64_t>(key[column]));
}

const std::string& text_at(const Key& key, std::size_t column) {
    return std::get<std::string>(key[column]);
}

/// Days stand in descending order.
storage::RangeQuery days_query(Key partition, DayRange range) {
    return {
        .partition = std::move(partition),
        .from = {std::int64_t{range.to}},
        .through = {std::int64_t{range.from}}
    };
}

bool is_in(Day day, DayRange range) {
    return day >= range.from && day <= range.to;
}

/// Days of `range` from which a rate holds that was recorded on them or after them, ascending. What
/// is little apart is one: to read some days more takes less than to read once more.
std::vector<DayRange> days_changed_late(const Rates& rates, DayRange range) {
    constexpr Day apart = 15;
    std::vector<DayRange> late;
    for (const RateChange& each : rates.in_order()) {
        const DayRange days{
            .from = std::max(range.from, each.effective), .to = std::min(range.to, each.known)
        };
        if (days.from <= days.to) {
            late.push_back(days);
        }
    }
    std::ranges::sort(late, {}, &DayRange::from);
    std::vector<DayRange> joined;
    for (const DayRange& each : late) {
        if (joined.empty() || each.from > joined.back().to + apart) {
            joined.push_back(each);
        } else {
            joined.back().to = std::max(joined.back().to, each.to);
        }
    }
    return joined;
}

}  // namespace

Result<CellsByKey<MonthRows>> read_months(
    Ledger& ledger,
    PartyKind kind,
    std::string_view party,
    std::string_view currency,
    std::span<const WaitingLine> waiting
) {
    return gather(
        MonthRows{kind},
        ledger.store(),
        {.partition = {std::string{party}, std::string{currency}}},
        ledger.log(),
        waiting,
        [&](const Line& line) { return line.currency() == currency; }
    );
}

Account account_of(const CellsByKey<MonthRows>& months) {
    // What a month has of several lanes comes together first: so an account is made in the order of
    // its days.
    Account account;
    AmountsByDay days;
    for (auto each = months.begin(); each != months.end();) {
        const Month booked = booked_of_day(day_at(each->first, 2));
        days.clear();
        for (; each != months.end() && booked_of_day(day_at(each->first, 2)) == booked; ++each) {
            for (const auto& [day, amounts] : each->second.days) {
                days[day] += amounts;
            }
        }
        for (const auto& [day, amounts] : days) {
            account.add(day, booked, amounts);
        }
    }
    return account;
}

Result<Account> read_account(
    Ledger& ledger,
    PartyKind kind,
    std::string_view party,
    std::string_view currency,
    std::span<const WaitingLine> waiting
) {
    TRY(const auto months, read_months(ledger, kind, party, currency, waiting));
    return account_of(months);
}

Result<void> read_accounts(
    Ledger& ledger,
    PartyKind kind,
    std::span<const AccountAsked> asked,
    const std::function<Result<void>(std::size_t at, const Account& account)>& function
) {
    std::vector<storage::RangeQuery> queries;
    queries.reserve(asked.size());
    for (const AccountAsked& each : asked) {
        queries.push_back(
            {.table = &tables_of(kind).month, .partition = {each.party, each.currency}}
        );
    }
    return storage::read_each(
        ledger.store(),
        std::move(queries),
        [&](std::size_t at, const storage::Rows& rows) -> Result<void> {
            const AccountAsked& of = asked[at];
            TRY(const auto months,
                gather(MonthRows{kind}, rows, ledger.log(), of.waiting, [&](const Line& line) {
                    return line.currency() == of.currency;
                }));
            return function(at, account_of(months));
        }
    );
}

Result<Account> read_account_as_of(
    Ledger& ledger,
    PartyKind kind,
    std::string_view party,
    std::string_view currency,
    std::span<const WaitingLine> waiting,
    Day as_of
) {
    TRY(const auto rows, read_day_rows(ledger, kind, party, currency, all_days, waiting));
    Account account;
    for (const DayRow& each : rows) {
        if (each.arrived <= as_of && each.cell.amounts != Amounts{}) {
            account.add(each.day, each.booked, each.cell.amounts);
        }
    }
    return account;
}

Result<std::vector<DayRow>> read_day_rows(
    Ledger& ledger,
    PartyKind kind,
    std::string_view party,
    std::string_view currency,
    DayRange range,
    std::span<const WaitingLine> waiting
) {
    TRY(auto cells,
        gather(
            DayRows{kind},
            ledger.store(),
            days_query({std::string{party}, std::string{currency}}, range),
            ledger.log(),
            waiting,
            [&](const Line& line) { return line.currency() == currency && is_in(line.day, range); }
        ));
    std::vector<DayRow> rows;
    rows.reserve(cells.size());
    for (auto& [key, cell] : cells) {
        rows.push_back(
            {.day = day_at(key, 2),
             .booked = booked_of_day(day_at(key, 3)),
             .arrived = day_at(key, 4),
             .cell = std::move(cell)}
        );
    }
    return rows;
}

Result<KnownByDay> read_known(
    Ledger& ledger,
    PartyKind kind,
    std::string_view party,
    std::string_view currency,
    const Rates& rates,
    std::optional<Month> sealed,
    DayRange range,
    std::span<const WaitingLine> waiting
) {
    if (sealed) {
        range.from = std::max(range.from, first_day(*sealed + 1));
    }
    KnownByDay known;
    for (const DayRange& moved : days_changed_late(rates, range)) {
        TRY(const auto rows, read_day_rows(ledger, kind, party, currency, moved, waiting));
        for (const DayRow& each : rows) {
            if (each.booked == month_of(each.day)) {
                const Instant arrival = each.cell.first_arrival;
                known[each.day].push_back(
                    {.known = static_cast<std::uint64_t>(arrival.time_since_epoch().count()),
                     .amount = each.cell.amounts.amount}
                );
            }
        }
    }
    return known;
}

Result<std::vector<AdDayRow>> read_ad_days(
    Ledger& ledger, std::string_view ad, DayRange range, std::span<const WaitingLine> waiting
) {
    TRY(auto cells,
        gather(
            ClicksPerAdRows{},
            ledger.store(),
            days_query({std::string{ad}}, range),
            ledger.log(),
            waiting,
            [&](const Line& line) { return is_in(line.day, range); }
        ));
    std::vector<AdDayRow> rows;
    rows.reserve(cells.size());
    for (auto& [key, cell] : cells) {
        rows.push_back({.day = day_at(key, 1), .currency = text_at(key, 2), .cell = std::move(cell)}
        );
    }
    return rows;
}

Result<std::vector<NamedAmounts>> read_by_name(
    Ledger& ledger,
    PartyKind kind,
    std::string_view party,
    std::string_view currency,
    DayRange range,
    bool by_ad,
    std::span<const WaitingLine> waiting
) {
    std::vector<NamedAmounts> found;
    for (Month month = month_of(range.from); month <= month_of(range.to); ++month) {
        TRY(auto cells,
            gather(
                AdRows{kind},
                ledger.store(),
                {.partition = {std::string{party}, std::int64_t{first_day(month)}}},
                ledger.log(),
                waiting,
                [&](const Line& line) { return month_of(line.day) == month; }
            ));
        for (auto& [key, cell] : cells) {
            const Day day = day_at(key, 5);
            const bool is_own = booked_of_day(day_at(key, 6)) == month;
            if (text_at(key, 4) == currency && is_in(day, range) && is_own) {
                found.push_back(
                    {.name = text_at(key, by_ad ? 2 : 3),
                     .day = day,
                     .arrived = day_at(key, 7),
                     .quarters = std::move(cell.quarters)}
                );
            }
        }
    }
    return found;
}

}  // namespace footfall::ads
