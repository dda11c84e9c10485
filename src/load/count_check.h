#pragma once

#include "load/generator.h"
#include "load/load_run.h"
#include "load/traffic.h"

#include <cstdint>
#include <vector>

namespace footfall::load {

/// What a server says of one object.
struct Counted {
    std::uint32_t number = 0;
    bool at_least = false;
};

/// An object whose count cannot be right.
struct Difference {
    std::uint64_t object;
    std::uint64_t least;  ///< What it must count at least,
    std::uint64_t most;   ///< and at most.
    std::uint64_t counted;
};

struct CheckResult {
    std::uint64_t objects = 0;  ///< Asked.
    std::uint64_t exact = 0;    ///< Of these, had to count one exact number, and did.
    std::vector<Difference> differences;
};

/// Which objects are checked: all, or a thousand, half of them drawn as the traffic draws, so the
/// hot ones are among them. Sorted.
std::vector<std::uint64_t> objects_to_check(const Traffic& traffic, bool all);

/// Asks for the counts of `objects`, in their order. `unavailable`, or `corrupt` when one is not
/// answered by a number.
Result<std::vector<Counted>> ask_counts(
    const GeneratorOptions& options,
    const Protocol& protocol,
    const std::vector<std::uint64_t>& objects
);

/// Holds what was counted against what was acknowledged. An object that was empty before must count
/// every acknowledged token, and those of unsure outcome may count too; one that was not, at least
/// as many. A count that is a lower bound may be any below.
///
/// Foretells by going through all operations again: 30 ns each, 4 bytes an object.
CheckResult compare_counts(
    const Traffic& traffic,
    const Outcome& outcome,
    const std::vector<std::uint64_t>& objects,
    const std::vector<Counted>& before,
    const std::vector<Counted>& after
);

}  // namespace footfall::load
