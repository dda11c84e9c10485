#pragma once

#include "ads/ledger.h"
#include "ads/statement.h"

#include <string>
#include <string_view>

// A statement as people get it. Pure: the same statement is the same bytes.

namespace footfall::ads::routes {

/// Whose statement it is.
struct StatementOf {
    PartyKind kind = PartyKind::reseller;
    std::string party;
    std::string currency;
    std::string zone;
};

std::string statement_json(const StatementOf& of, const Statement& statement);

/// A row for each day and each adjustment, and one for the sum (RFC 4180).
std::string statement_csv(const StatementOf& of, const Statement& statement);

/// A page of its own that needs nothing else, and prints on paper.
std::string statement_html(const StatementOf& of, const Statement& statement);

}  // namespace footfall::ads::routes
