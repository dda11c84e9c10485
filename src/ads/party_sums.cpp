#include "ads/party_sums.h"

#include "ads/account_rows.h"
#include "ads/cells.h"
#include "ads/lines_by_party.h"
#include "ads/schema.h"
#include "storage/blocking.h"

#include <algorithm>
#include <set>
#include <utility>

namespace footfall::ads {

Result<ListedSums> list_sums(
    Ledger& ledger,
    PartyKind kind,
    std::string_view prefix,
    std::string_view after,
    std::size_t most
) {
    TRY(const WaitingLines waiting, ledger.waiting_lines({.all = true}));
    const LinesByParty lines{kind, waiting.lines};
    TRY(Parties::Listed listed, ledger.parties().list(kind, prefix, after, most));
    lines.add_to(listed, prefix, after, most);
    ListedSums sums{.more = listed.more};
    std::vector<AccountAsked> asked;
    std::vector<std::size_t> party_of_asked;
    for (const Parties::Named& each : listed.parties) {
        for (const std::string& currency : each.currencies) {
            if (!currency.empty()) {
                asked.push_back(
                    {.party = each.party, .currency = currency, .waiting = lines.of(each.party)}
                );
                party_of_asked.push_back(sums.parties.size());
            }
        }
        sums.parties.push_back({.party = each.party});
    }
    const auto add = [&](std::size_t at, const Account& account) -> Result<void> {
        Amounts& sum = sums.parties[party_of_asked[at]].by_currency[asked[at].currency];
        account.for_each_day([&](Day, const Amounts& amounts) { sum += amounts; });
        return {};
    };
    TRY_VOID(read_accounts(ledger, kind, asked, add));
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
