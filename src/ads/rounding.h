#pragma once

#include "ads/exact.h"

#include <span>
#include <vector>

namespace footfall::ads {

/// The nearest micros; of two as near the even ones.
WideMicros rounded(Exact amount);

/// What each row of a reply shows, in micros, so that they add up to their rounded sum: each is
/// rounded down, and what is missing then goes, a micro each, to the rows that lost most; of equal
/// ones to the earlier (largest remainder, after Hamilton). No row differs from its exact amount by
/// a micro or more. `overflow` is reported as sum_of() does. O(rows x log rows).
Result<std::vector<WideMicros>> spread(std::span<const Exact> rows);

/// The same, so that they add up to `total`, which was rounded in other rows than these. What is
/// missing is shared out evenly where it is more than a micro a row.
std::vector<WideMicros> spread_to(WideMicros total, std::span<const Exact> rows);

}  // namespace footfall::ads
