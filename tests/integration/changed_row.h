#pragma once

#include "storage/store.h"

#include <cstdint>
#include <string>

namespace footfall {

/// Adds `micros` to the amount of the first of a reseller's days, behind everybody's back: what a
/// check of the ledger has to find. Ends the test where the reseller has none.
void change_a_row(
    storage::Store& store,
    const std::string& reseller,
    const std::string& currency,
    std::int64_t micros
);

}  // namespace footfall
