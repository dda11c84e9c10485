#include "foundation_testing/rounds.h"

#include "foundation/check.h"
#include "foundation/parse_number.h"

#include <algorithm>
#include <cstdlib>

namespace footfall {

std::uint64_t rounds(std::uint64_t full) {
    const char* const given = std::getenv("FOOTFALL_ROUNDS_PERCENT");
    if (given == nullptr) {
        return full;
    }
    const auto percent = parse_unsigned(given);
    CHECK(
        percent && *percent >= 1 && *percent <= 100, "FOOTFALL_ROUNDS_PERCENT is 1 to 100", given
    );
    return std::max<std::uint64_t>(1, full * *percent / 100);
}

}  // namespace footfall
