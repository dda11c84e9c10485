#pragma once

#include "ads/income_report.h"
#include "ads/ledger.h"
#include "foundation/result.h"
#include "storage/batch.h"

#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::ads {

/// What a month comes to for a party, in one currency. Of a sealed month the same for ever.
struct Statement {
    Month month = 0;
    std::optional<Instant> sealed_at;  ///< Absent: the month is open, and this a draft.
    Amounts amounts;
    WideMicros income = 0;
    /// "earned":"..","corrected":"..","days":[..],"adjustments":[..], as in an income.
    std::string rows;
};

/// As it was stored when the month was sealed; a draft of an open one. Blocks.
Result<Statement> statement_of(
    Ledger& ledger, PartyKind kind, std::string_view party, std::string_view currency, Month month
);

/// The statements of months behind `behind`, of all if that is absent, to `last`, which is sealed,
/// from rows and rates; none of a month in which nothing was earned or moved. Blocks.
Result<std::vector<Statement>> make_statements(
    Ledger& ledger,
    PartyKind kind,
    const std::string& party,
    const std::string& currency,
    std::optional<Month> behind,
    Month last
);

/// Those that are stored, by month. Blocks.
Result<std::map<Month, Statement>> stored_statements(
    storage::Store& store, PartyKind kind, const std::string& party, const std::string& currency
);

/// Writes the statements of sealed months, of all parties, and then that they stand. To be called
/// again and again, by one thread of one process: a turn that is broken off begins anew, and writes
/// the same. Blocks.
class Sealer {
public:
    explicit Sealer(Ledger& ledger) : ledger_{&ledger} {}

    /// Ends early once `stop` is asked to.
    Result<void> turn(const std::stop_token& stop);

private:
    Result<void> write_party(
        PartyKind kind,
        const std::string& party,
        const std::string& currency,
        std::optional<Month> behind,
        Month last
    );

    Ledger* ledger_;
};

}  // namespace footfall::ads
