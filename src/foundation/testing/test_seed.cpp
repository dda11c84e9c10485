#include "foundation_testing/test_seed.h"

#include "foundation/check.h"
#include "foundation/parse_number.h"

#include <cstdlib>
#include <random>

namespace footfall {

namespace {

std::uint64_t chosen_seed() {
    const char* given = std::getenv("FOOTFALL_SEED");
    if (given == nullptr) {
        return std::random_device{}();
    }
    const auto seed = parse_unsigned(given);
    CHECK(seed.has_value(), "FOOTFALL_SEED is not a number", given);
    return *seed;
}

}  // namespace

std::uint64_t test_seed() {
    static const std::uint64_t seed = chosen_seed();
    return seed;
}

}  // namespace footfall
