#pragma once

#include "ads/ledger.h"
#include "ads/party_pages.h"

namespace footfall::ads {

/// Makes the page of a party from its rows and from what waits for them. Blocks.
Result<MadePage> make_party_page(
    Ledger& ledger, PartyKind kind, const std::string& party, const std::string& currency
);

}  // namespace footfall::ads
