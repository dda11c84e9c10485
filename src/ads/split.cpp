#include "ads/split.h"

#include "ads/account_rows.h"
#include "ads/cells.h"
#include "ads/reports.h"
#include "ads/schema.h"
#include "storage/blocking.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace footfall::ads {
namespace {

Result<void> add_party(
    Ledger& ledger,
    PartyKind kind,
    const std::string& party,
    std::string_view currency,
    DayRange range,
    Split& split
) {
    const IncomeQuestion question{
        .kind = kind,
        .party = party,
        .currency = std::string{currency},
        .range = range,
        .group_by = Grouping::none
    };
    TRY(const IncomeAnswer answer, income_of(ledger, question));
    split.provisional = split.provisional || answer.provisional;
    if (kind == PartyKind::reseller) {
        split.amount += answer.report.amounts.amount;
        split.resellers += answer.report.income();
    } else {
        split.publishers += answer.report.income();
    }
    return {};
}

}  // namespace

Result<std::set<std::string>> ledger_currencies(Ledger& ledger, const std::stop_token& stop) {
    std::set<std::string> currencies;
    TRY(currencies, ledger.parties().currencies(PartyKind::reseller, ""));
    for (const PartyKind kind : {PartyKind::reseller, PartyKind::publisher}) {
        TRY_VOID(for_each_party(ledger, kind, stop, [&](const auto& each) -> Result<void> {
            currencies.insert(each.currencies.begin(), each.currencies.end());
            return {};
        }));
    }
    currencies.erase("");
    return currencies;
}

Result<Split> split_of(
    Ledger& ledger,
    std::string_view currency,
    std::optional<DayRange> range,
    const std::stop_token& stop
) {
    Split split{.range = range.value_or(all_days)};
    TRY_VOID(add_party(ledger, PartyKind::reseller, "", currency, split.range, split));
    for (const PartyKind kind : {PartyKind::reseller, PartyKind::publisher}) {
        TRY_VOID(for_each_party(ledger, kind, stop, [&](const auto& each) -> Result<void> {
            if (!each.currencies.contains(std::string{currency})) {
                return {};
            }
            return add_party(ledger, kind, each.party, currency, split.range, split);
        }));
    }
    return split;
}

Result<PartySums> sums_of(
    Ledger& ledger, PartyKind kind, std::string party, const std::set<std::string>& currencies
) {
    PartySums sums{.party = std::move(party)};
    TRY(const WaitingLines waiting, ledger.waiting_lines({.kind = kind, .name = sums.party}));
    for (const std::string& currency : currencies) {
        if (currency.empty()) {
            continue;
        }
        TRY(const Account account, read_account(ledger, kind, sums.party, currency, waiting.lines));
        Amounts& sum = sums.by_currency[currency];
        account.for_each_day([&](Day, const Amounts& amounts) { sum += amounts; });
    }
    return sums;
}

Result<std::vector<PartySums>> largest_parties(
    Ledger& ledger,
    PartyKind kind,
    std::string_view currency,
    std::size_t most,
    const std::stop_token& stop
) {
    std::map<std::string, std::map<std::string, Amounts>> sums;
    storage::ScanQuery query{.table = &tables_of(kind).month};
    for (bool more = true; more;) {
        if (stop.stop_requested()) {
            return fail(ErrorKind::cancelled, "nobody waits for the answer any more");
        }
        TRY(const storage::Page page, storage::scan_page(ledger.store(), query));
        for (std::size_t row = 0; row < page.rows.size(); ++row) {
            const std::string party{page.rows.at(row, 0).text()};
            if (!party.empty()) {
                TRY(const MonthCell cell, MonthRows::read(page.rows, row));
                sums[party][std::string{page.rows.at(row, 1).text()}] += cell.amounts();
            }
        }
        query.continuation = page.continuation;
        more = !page.continuation.empty();
    }
    std::vector<PartySums> largest;
    largest.reserve(sums.size());
    for (auto& [party, by_currency] : sums) {
        largest.push_back({.party = party, .by_currency = std::move(by_currency)});
    }
    const std::string of{currency};
    const auto amount_of = [&](const PartySums& each) {
        const auto found = each.by_currency.find(of);
        return found == each.by_currency.end() ? WideMicros{0} : found->second.amount;
    };
    const auto shown = std::min(most, largest.size());
    std::ranges::partial_sort(
        largest,
        largest.begin() + static_cast<std::ptrdiff_t>(shown),
        [&](const PartySums& one, const PartySums& other) {
            const WideMicros left = amount_of(one);
            const WideMicros right = amount_of(other);
            return left == right ? one.party < other.party : left > right;
        }
    );
    largest.resize(shown);
    return largest;
}

}  // namespace footfall::ads
