#include "ads/statement.h"

#include "ads/account_rows.h"
#include "ads/income_rows.h"
#include "ads/money_text.h"
#include "ads/rate_changes.h"
#include "ads/schema.h"
#include "ads/split.h"
#include "storage/blocking.h"
#include "storage/decimal.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace footfall::ads {
namespace {

/// What an account is told by.
struct Told {
    const Account* account;
    const RateHistory* history;
    const Rates* rates;
    std::optional<Month> sealed;
};

Result<Statement> make_statement(const Told& told, Month month) {
    TRY(const IncomeReport report,
        make_income(
            *told.account,
            *told.rates,
            told.sealed,
            {.from = first_day(month), .to = last_day(month)}
        ));
    Statement statement{.month = month, .amounts = report.amounts, .income = report.income()};
    statement.rows = fmt::format(
        R"("earned":"{}","corrected":"{}","days":[)",
        money_text(report.earned),
        money_text(report.corrected)
    );
    for (const ShownDay& each : report.days) {
        append_day_row(each, statement.rows);
    }
    statement.rows += R"(],"adjustments":[)";
    for (const ShownAdjustment& each : report.adjustments) {
        append_adjustment_row(*told.history, each, statement.rows);
    }
    statement.rows += ']';
    return statement;
}

std::optional<Instant> sealed_at(const Seals& seals, Month month) {
    const auto seal = seals.months().lower_bound(month);
    return seal == seals.months().end() ? std::nullopt : std::optional{seal->second.sealed_at};
}

/// From a row of PartyTables::sealed.
Result<Statement> statement_in(const storage::Rows& rows, std::size_t row) {
    const auto number = [&](std::size_t column) { return rows.at(row, column).number(); };
    const auto count = [&](std::size_t column) {
        return static_cast<std::uint64_t>(number(column));
    };
    TRY(const storage::Wide amount, storage::decimal_of(rows.at(row, 6).text()));
    TRY(const storage::Wide income, storage::decimal_of(rows.at(row, 7).text()));
    return Statement{
        .month = month_of(static_cast<Day>(number(2))),
        .amounts = {.clicks = count(3), .sales = count(4), .refunds = count(5), .amount = amount},
        .income = income,
        .rows = std::string{rows.at(row, 8).text()}
    };
}

Result<std::optional<Statement>> read_statement(
    storage::Store& store,
    PartyKind kind,
    std::string_view party,
    std::string_view currency,
    Month month
) {
    const std::int64_t day = first_day(month);
    TRY(const storage::Rows rows,
        storage::read_all(
            store,
            {.table = &tables_of(kind).sealed,
             .partition = {std::string{party}, std::string{currency}},
             .from = {day},
             .through = {day}}
        ));
    if (rows.size() == 0) {
        return std::optional<Statement>{};
    }
    TRY(Statement statement, statement_in(rows, 0));
    return std::optional{std::move(statement)};
}

void add_row(
    PartyKind kind,
    std::string_view party,
    std::string_view currency,
    const Statement& statement,
    storage::Batch& batch
) {
    const storage::DecimalBytes amount{statement.amounts.amount};
    const storage::DecimalBytes income{statement.income};
    batch.upsert(
        tables_of(kind).sealed,
        {party,
         currency,
         std::int64_t{first_day(statement.month)},
         static_cast<std::int64_t>(statement.amounts.clicks),
         static_cast<std::int64_t>(statement.amounts.sales),
         static_cast<std::int64_t>(statement.amounts.refunds),
         amount.view(),
         income.view(),
         std::string_view{statement.rows}}
    );
}

}  // namespace

Result<Statement> statement_of(
    Ledger& ledger, PartyKind kind, std::string_view party, std::string_view currency, Month month
) {
    TRY(const WaitingLines waiting,
        ledger.waiting_lines({.kind = kind, .name = std::string{party}}));
    TRY(const Seals seals, ledger.seals());
    const bool is_written = seals.written().value_or(month - 1) >= month;
    if (is_written) {
        TRY(auto stored, read_statement(ledger.store(), kind, party, currency, month));
        if (stored) {
            stored->sealed_at = sealed_at(seals, month);
            return *std::move(stored);
        }
    }
    TRY(const RateHistory history, RateHistory::read(ledger.store(), kind, party));
    const Rates rates = history.rates(ledger.zone());
    TRY(const Account account, read_account(ledger, kind, party, currency, waiting.lines));
    TRY(Statement statement,
        make_statement(
            {.account = &account, .history = &history, .rates = &rates, .sealed = seals.sealed()},
            month
        ));
    if (is_written) {
        statement.sealed_at = sealed_at(seals, month);  // there was nothing to be told
    }
    return statement;
}

Result<std::vector<Statement>> make_statements(
    Ledger& ledger,
    PartyKind kind,
    const std::string& party,
    const std::string& currency,
    std::optional<Month> behind,
    Month last
) {
    TRY(const RateHistory history, RateHistory::read(ledger.store(), kind, party));
    TRY(const Account account, read_account(ledger, kind, party, currency, {}));
    std::vector<Statement> statements;
    if (account.empty()) {
        return statements;
    }
    const Rates rates = history.rates(ledger.zone());
    const Told told{.account = &account, .history = &history, .rates = &rates, .sealed = last};
    const Month first = month_of(account.first());
    for (Month month = behind ? std::max(first, *behind + 1) : first; month <= last; ++month) {
        TRY(Statement statement, make_statement(told, month));
        if (statement.amounts != Amounts{} || statement.income != 0) {
            statements.push_back(std::move(statement));
        }
    }
    return statements;
}

Result<std::map<Month, Statement>> stored_statements(
    storage::Store& store, PartyKind kind, const std::string& party, const std::string& currency
) {
    TRY(const storage::Rows rows,
        storage::read_all(store, {.table = &tables_of(kind).sealed, .partition = {party, currency}})
    );
    std::map<Month, Statement> stored;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        TRY(Statement statement, statement_in(rows, row));
        stored.emplace(statement.month, std::move(statement));
    }
    return stored;
}

Result<void> Sealer::turn(const std::stop_token& stop) {
    TRY(const Seals seals, ledger_->seals());
    const std::optional<Month> passed = seals.sealed();
    ledger_->seal_progress().note(seals);
    if (!passed || !seals.is_sealing()) {
        return {};
    }
    const std::optional<Month> written = seals.written();
    for (const PartyKind kind : {PartyKind::reseller, PartyKind::publisher}) {
        TRY_VOID(for_each_party(*ledger_, kind, stop, [&](const auto& each) -> Result<void> {
            for (const std::string& currency : each.currencies) {
                if (!currency.empty()) {
                    TRY_VOID(write_party(kind, each.party, currency, written, *passed));
                }
            }
            return {};
        }));
    }
    storage::Batch batch;
    for (const auto& [month, seal] : seals.months()) {
        if (!seal.rows_written && month <= *passed) {
            batch.upsert(
                ledger_seal_table,
                storage::views_of(rows_written_row(month, ledger_->clock().now()))
            );
        }
    }
    TRY_VOID(storage::write_durably(ledger_->store(), batch));
    ledger_->seal_progress().note_written(*passed);
    return {};
}

/// What is booked up to the seal is in rows when every lane has passed it; what came behind it does
/// not change these months.
Result<void> Sealer::write_party(
    PartyKind kind,
    const std::string& party,
    const std::string& currency,
    std::optional<Month> behind,
    Month last
) {
    TRY(const std::vector<Statement> statements,
        make_statements(*ledger_, kind, party, currency, behind, last));
    storage::Batch batch;
    for (const Statement& each : statements) {
        add_row(kind, party, currency, each, batch);
    }
    return batch.empty() ? Result<void>{} : storage::write_durably(ledger_->store(), batch);
}

}  // namespace footfall::ads
