#include "ads/rate_trial.h"

#include "ads/account_rows.h"
#include "ads/reports.h"
#include "ads/rounding.h"

#include <limits>
#include <set>
#include <utility>

namespace footfall::ads {
namespace {

constexpr Month latest = std::numeric_limits<Month>::max();

Result<Movement> movement_of(const Account& account, const Rates& before, const Rates& after) {
    Movement movement;
    Exact was = 0;
    Exact is = 0;
    Result<void> outcome;
    account.for_each_day([&](Day day, const Amounts& amounts) {
        const Millionths old_share = before.share(day, latest);
        const Millionths new_share = after.share(day, latest);
        if (old_share == new_share || !outcome) {
            return;
        }
        outcome = [&]() -> Result<void> {
            TRY(const Exact old_value, share_of(amounts.amount, old_share));
            TRY(const Exact new_value, share_of(amounts.amount, new_share));
            TRY(was, sum_of(was, old_value));
            TRY(is, sum_of(is, new_value));
            return {};
        }();
        movement.range.from = movement.days == 0 ? day : movement.range.from;
        movement.range.to = day;
        ++movement.days;
    });
    TRY_VOID(std::move(outcome));
    movement.before = rounded(was);
    movement.after = rounded(is);
    return movement;
}

}  // namespace

/// The history with the change in it, as if it stood behind everything else.
Result<DryRun> try_rate(Ledger& ledger, const events::RateSaid& said) {
    TRY(RateHistory history, RateHistory::read(ledger.store(), said.kind, said.party));
    TRY(const Seals seals, ledger.seals());
    const Rates before = history.rates(ledger.zone());
    DryRun run{.outcome = history.judge(said)};
    if (run.outcome != RateOutcome::recorded) {
        return run;
    }
    history.decide({.booked = booked_month_of_rate(seals.sealed()), .said = said}, "");
    const Rates after = history.rates(ledger.zone());
    TRY(const std::set<std::string> currencies, currencies_of(ledger, said.kind, said.party));
    TRY(const WaitingLines waiting, ledger.waiting_lines({.kind = said.kind, .name = said.party}));
    for (const std::string& currency : currencies) {
        TRY(const Account account,
            read_account(ledger, said.kind, said.party, currency, waiting.lines));
        TRY(Movement movement, movement_of(account, before, after));
        if (movement.days > 0) {
            movement.currency = currency;
            run.movements.push_back(std::move(movement));
        }
    }
    return run;
}

}  // namespace footfall::ads
