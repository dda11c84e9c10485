#pragma once

#include "foundation/random.h"
#include "sets/number_set.h"

#include <algorithm>
#include <set>
#include <vector>

namespace footfall::sets {

/// A set, and the same numbers as the standard library holds them.
struct TestSet {
    NumberSet ours;
    std::set<Number> theirs;

    void add(Number number) {
        ours.add(number);
        theirs.insert(number);
    }
};

/// Blocks from empty to full, some of them of runs, some without any number; with gaps.
inline TestSet test_set(Random& random, Number blocks) {
    TestSet made;
    for (Number high = 0; high < blocks; ++high) {
        const Number base = (high * 3) << 16;
        const std::uint64_t kind = random.below(6);
        if (kind == 0) {
            continue;
        }
        const std::uint64_t most = kind == 1 ? 20 : kind == 2 ? 1'000 : kind == 3 ? 8'000 : 60'000;
        const std::uint64_t wanted = 1 + random.below(most);
        if (kind == 4) {  // runs
            const auto step = static_cast<Number>(2 + random.below(3'000));
            for (Number low = 0; low < block_numbers; low += step) {
                const auto length = static_cast<Number>(1 + random.below(step));
                for (Number at = 0; at < length && low + at < block_numbers; ++at) {
                    made.theirs.insert(base + low + at);
                }
            }
        } else {
            for (std::uint64_t at = 0; at < wanted; ++at) {
                made.theirs.insert(base + static_cast<Number>(random.below(block_numbers)));
            }
        }
    }
    made.ours = NumberSet::of_sorted(std::vector<Number>(made.theirs.begin(), made.theirs.end()));
    return made;
}

inline std::vector<Number> numbers_of(const NumberSet& set) {
    std::vector<Number> numbers;
    set.for_each([&](Number number) { numbers.push_back(number); });
    return numbers;
}

}  // namespace footfall::sets
