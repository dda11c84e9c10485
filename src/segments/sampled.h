#pragma once

#include <cstdint>

// What is known of a number of people where one of so many of them was looked at.

namespace footfall::segments {

/// A number of people, and what it is worth. Where it was counted all of it is the same, without
/// error.
struct Estimate {
    std::uint64_t people = 0;
    bool exact = true;
    double error = 0;       ///< The standard error, as a part of `people`; 1 where that is 0.
    std::uint64_t low = 0;  ///< Between these it is in at least 95 of 100 cases.
    std::uint64_t high = 0;
};

/// Of `people` that is `one_of` times as many as were found among one of `one_of` of all. As each
/// kind of people (in these segments and not in those) is found for itself, with the same
/// likelihood, the most likely numbers of all kinds together are these products, and whatever sums
/// of them are asked for.
///
/// Bounds are those between which a number may lie that does not make what was found less likely
/// than 1 in 20, by the normal approximation of the binomial distribution at the bound, not at the
/// estimate (Wilson, "Probable inference, the law of succession, and statistical inference", 1927):
/// so they hold for few and for nobody, too. Pure.
Estimate estimate_of(std::uint64_t people, std::uint32_t one_of);

}  // namespace footfall::segments
