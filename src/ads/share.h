#pragma once

#include "ads/exact.h"
#include "foundation/result.h"

#include <string>
#include <string_view>

namespace footfall::ads {

/// Reads the part of an amount that a rate gives: decimal text from "0" to "1" with at most six
/// decimals, as people write it into a request or a file. `invalid_input`, with an example, for
/// anything else. Pure.
Result<Millionths> parse_share(std::string_view text);

/// The shortest such text.
std::string format_share(Millionths share);

}  // namespace footfall::ads
