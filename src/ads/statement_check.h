#pragma once

#include "ads/ledger.h"
#include "foundation/result.h"

#include <string>
#include <vector>

namespace footfall::ads {

/// Holds the statements of a party's sealed months that are stored to its rows and rates, and says
/// a sentence for each that differs, is missing, or is too much. Blocks: reads the party's months
/// and rates.
Result<std::vector<std::string>> check_statements(
    Ledger& ledger,
    const Seals& seals,
    PartyKind kind,
    const std::string& party,
    const std::string& currency
);

}  // namespace footfall::ads
