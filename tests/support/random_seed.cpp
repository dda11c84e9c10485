#include "test_support/random_seed.h"

#include "foundation/parse_number.h"
#include "test_support/must.h"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <random>

namespace footfall::test_support {

std::uint64_t environment_number(const char* name, std::uint64_t otherwise) {
    const char* const text = std::getenv(name);
    if (text == nullptr) {
        return otherwise;
    }
    const auto number = parse_unsigned(text);
    if (!number) {
        give_up(fmt::format("{} must be a number, not \"{}\"", name, text));
    }
    return *number;
}

std::uint64_t random_seed() {
    const std::uint64_t seed = environment_number("FOOTFALL_SEED", std::random_device{}());
    fmt::print("FOOTFALL_SEED={}\n", seed);
    std::fflush(stdout);
    return seed;
}

}  // namespace footfall::test_support
