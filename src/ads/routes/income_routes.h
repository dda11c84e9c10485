#pragma once

#include "ads_routes/sources.h"

#include <set>
#include <string>

namespace footfall::ads::routes {

/// GET /api/v1/resellers/{id}/income, and the same of publishers.
void add_income_routes(api::FrontDoor& door, const Sources& sources);

/// The currency that is meant: `asked`, or the only one there is of the party. Refused: nobody
/// knows the party (404), or there are several and none was named (409, which lists them).
api::Asked<std::string> choose_currency(
    Ledger& ledger, PartyKind kind, const std::string& party, const std::string& asked
);

/// The refusal of a question about money in several currencies, of which none was named.
http_server::Response currency_needed(const std::set<std::string>& currencies);

/// ?currency=, three capital letters; empty: it was not given.
api::Asked<std::string> currency_parameter(const http_server::Request& request);

}  // namespace footfall::ads::routes
