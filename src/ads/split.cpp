#include "ads/split.h"

#include "ads/account_rows.h"
#include "ads/cells.h"
#include "ads/rate_changes.h"
#include "ads/reports.h"
#include "ads/schema.h"
#include "storage/blocking.h"

#include <algorithm>
#include <optional>
#include <span>
#include <tuple>
#include <utility>

namespace footfall::ads {
namespace {

/// So many parties are read side by side.
constexpr std::size_t parties_at_once = 64;

/// Lines that wait, by the parties of a kind. Constant.
class LinesByParty {
public:
    LinesByParty(PartyKind kind, std::vector<WaitingLine> lines)
        : kind_{kind}, lines_{std::move(lines)} {
        std::ranges::sort(lines_, {}, [&](const WaitingLine& each) {
            return std::tuple{each.line.party(kind), each.lane, each.line.offset};
        });
    }

    std::span<const WaitingLine> of(std::string_view party) const {
        return std::ranges::equal_range(lines_, party, {}, Name{kind_});
    }

    /// Parties with lines in the currency, ascending.
    std::set<std::string> parties(std::string_view currency) const {
        std::set<std::string> parties;
        for (const WaitingLine& each : lines_) {
            if (each.line.currency() == currency) {
                parties.emplace_hint(parties.end(), each.line.party(kind_));
            }
        }
        return parties;
    }

    /// Whom these lines are of joins those that are listed, in the same order.
    void add_to(
        Parties::Listed& listed, std::string_view prefix, std::string_view after, std::size_t most
    ) const {
        std::map<std::string, std::set<std::string>> all;
        for (Parties::Named& each : listed.parties) {
            all.emplace(std::move(each.party), std::move(each.currencies));
        }
        const std::string end = listed.more && !all.empty() ? all.rbegin()->first : "";
        for (const WaitingLine& each : lines_) {
            const std::string_view party = each.line.party(kind_);
            const bool is_asked_for = !party.empty() && party.starts_with(prefix) && party > after;
            if (is_asked_for && (end.empty() || party <= end)) {
                all[std::string{party}].emplace(each.line.currency());
            }
        }
        listed.parties.clear();
        for (auto& [party, currencies] : all) {
            if (listed.parties.size() == most) {
                listed.more = true;
                break;
            }
            listed.parties.push_back({.party = party, .currencies = std::move(currencies)});
        }
    }

private:
    struct Name {
        PartyKind kind;

        std::string_view operator()(const WaitingLine& each) const { return each.line.party(kind); }
    };

    PartyKind kind_;
    std::vector<WaitingLine> lines_;
};

/// Adds up the incomes of parties. Where parties have pages they tell; else rows are read, of many
/// parties at once: on a cluster each read is a way over the network.
class SplitSum {
public:
    SplitSum(Ledger& ledger, std::string_view currency, DayRange range)
        : ledger_{ledger}, currency_{currency}, split_{.range = range} {}

    Result<Split> of_all(const std::stop_token& stop) {
        TRY(const WaitingLines waiting, ledger_.waiting_lines({.all = true}));
        TRY(const Seals seals, ledger_.seals());
        sealed_ = seals.sealed();
        split_.provisional = waiting.provisional || seals.is_sealing();
        for (const PartyKind kind : {PartyKind::reseller, PartyKind::publisher}) {
            const LinesByParty lines{kind, waiting.lines};
            TRY_VOID(add_parties(kind, lines, stop));
        }
        return split_;
    }

private:
    /// Those that are listed, and those that have just come, which are in no row yet.
    Result<void> add_parties(
        PartyKind kind, const LinesByParty& lines, const std::stop_token& stop
    ) {
        std::set<std::string> new_ones = lines.parties(currency_);
        std::vector<std::string> some;
        new_ones.erase("");
        if (kind == PartyKind::reseller) {
            some.emplace_back();  // what has no reseller is that of "", which is not listed
        }
        const auto take = [&](std::string party) -> Result<void> {
            some.push_back(std::move(party));
            if (some.size() < parties_at_once) {
                return {};
            }
            TRY_VOID(add(kind, some, lines));
            some.clear();
            return {};
        };
        TRY_VOID(for_each_party(ledger_, kind, stop, [&](const auto& each) -> Result<void> {
            if (!each.currencies.contains(currency_)) {
                return {};
            }
            new_ones.erase(each.party);
            return take(each.party);
        }));
        for (const std::string& party : new_ones) {
            TRY_VOID(take(party));
        }
        return add(kind, some, lines);
    }

    Result<void> add(
        PartyKind kind, const std::vector<std::string>& parties, const LinesByParty& lines
    ) {
        return ledger_.pages() != nullptr ? add_from_pages(kind, parties)
                                          : add_from_rows(kind, parties, lines);
    }

    Result<void> add_from_pages(PartyKind kind, const std::vector<std::string>& parties) {
        for (const std::string& party : parties) {
            TRY(const IncomeAnswer answer,
                income_of(
                    ledger_,
                    {.kind = kind,
                     .party = party,
                     .currency = currency_,
                     .range = split_.range,
                     .group_by = Grouping::none}
                ));
            split_.provisional = split_.provisional || answer.provisional;
            add(kind, answer.report);
        }
        return {};
    }

    Result<void> add_from_rows(
        PartyKind kind, const std::vector<std::string>& parties, const LinesByParty& lines
    ) {
        TRY(const auto histories, RateHistory::read(ledger_.store(), kind, parties));
        std::vector<AccountAsked> asked;
        asked.reserve(parties.size());
        for (const std::string& party : parties) {
            asked.push_back({.party = party, .currency = currency_, .waiting = lines.of(party)});
        }
        return read_accounts(
            ledger_,
            kind,
            asked,
            [&](std::size_t at, const Account& account) -> Result<void> {
                const Rates rates = histories[at].rates(ledger_.zone());
                TRY(const IncomeReport report, make_income(account, rates, sealed_, split_.range));
                add(kind, report);
                return {};
            }
        );
    }

    void add(PartyKind kind, const IncomeReport& report) {
        if (kind == PartyKind::reseller) {
            split_.amount += report.amounts.amount;
            split_.resellers += report.income();
        } else {
            split_.publishers += report.income();
        }
    }

    Ledger& ledger_;
    const std::string currency_;
    std::optional<Month> sealed_;
    Split split_;
};

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
    return SplitSum{ledger, currency, range.value_or(all_days)}.of_all(stop);
}

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
