#include "ads/statement_check.h"

#include "ads/row_sums.h"
#include "ads/schema.h"
#include "ads/statement.h"
#include "storage/blocking.h"
#include "storage/decimal.h"

#include <fmt/format.h>

#include <map>
#include <utility>

namespace footfall::ads {
namespace {

std::string text_of(const Statement& statement) {
    return fmt::format(
        "{} clicks, {} sales, {} refunds, amount {}, income {}",
        statement.amounts.clicks,
        statement.amounts.sales,
        statement.amounts.refunds,
        storage::decimal_text(statement.amounts.amount),
        storage::decimal_text(statement.income)
    );
}

bool is_same(const Statement& one, const Statement& other) {
    return one.amounts == other.amounts && one.income == other.income && one.rows == other.rows;
}

}  // namespace

Result<std::vector<std::string>> check_statements(
    Ledger& ledger,
    const Seals& seals,
    PartyKind kind,
    const std::string& party,
    const std::string& currency
) {
    const std::optional<Month> written = seals.written();
    if (!written) {
        return std::vector<std::string>{};
    }
    TRY(auto stored, stored_statements(ledger.store(), kind, party, currency));
    TRY(const std::vector<Statement> made,
        make_statements(ledger, kind, party, currency, {}, *written));
    std::vector<std::string> differences;
    const auto name = [&](Month month) {
        return fmt::format(
            "{}: \"{}\", currency \"{}\", {}",
            tables_of(kind).sealed.name,
            party,
            currency,
            month_text(month)
        );
    };
    for (const Statement& each : made) {
        const auto row = stored.extract(each.month);
        if (row.empty()) {
            differences.push_back(fmt::format(
                "{}: none stored; rows and rates have {}", name(each.month), text_of(each)
            ));
        } else if (!is_same(row.mapped(), each)) {
            const std::string one = text_of(row.mapped());
            const std::string other = text_of(each);
            differences.push_back(
                one != other
                    ? fmt::format(
                          "{}: {} stored; rows and rates have {}", name(each.month), one, other
                      )
                    : fmt::format("{}: its days or adjustments are others", name(each.month))
            );
        }
    }
    for (const auto& [month, statement] : stored) {
        if (month <= *written) {
            differences.push_back(fmt::format(
                "{}: {} stored; rows and rates have nothing", name(month), text_of(statement)
            ));
        }
    }
    return differences;
}

}  // namespace footfall::ads
