#include "ads/split.h"

#include "ads/account_rows.h"
#include "ads/lines_by_party.h"
#include "ads/rate_changes.h"
#include "ads/reports.h"

#include <optional>
#include <utility>
#include <vector>

namespace footfall::ads {
namespace {

/// So many parties are read side by side.
constexpr std::size_t parties_at_once = 64;

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
    TRY(const WaitingLines waiting, ledger.waiting_lines({.all = true}));
    for (const WaitingLine& each : waiting.lines) {
        currencies.emplace(each.line.currency());
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
    const DayRange days = range.value_or(all_days);
    TRY_VOID(check_order(days));
    return SplitSum{ledger, currency, days}.of_all(stop);
}

}  // namespace footfall::ads
