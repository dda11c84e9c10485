#pragma once

#include "sketches/ell.h"
#include "sketches/hash_token.h"

#include <array>
#include <cstdint>
#include <span>

namespace footfall::sketches {

/// What the likelihood of a number of people depends on: which cells are known to be set, and which
/// to be unset. Section 3.2 of the ExaLogLog paper.
struct Likelihood {
    /// The sum of the chances of all cells known to be unset, in units of 2^-64 of all. It is 2^64
    /// for an empty sketch, which reads 0; then no cell is set.
    std::uint64_t unset = 0;
    /// How many cells are known to be set, by the exponent of their chance.
    std::array<std::uint32_t, 65> set{};
    double registers = 0;

    /// Of the registers of a sketch. Cost: about 4 ns a register.
    static Likelihood of_registers(std::span<const Register> registers, unsigned precision);

    /// Of different tokens.
    static Likelihood of_tokens(std::span<const HashToken> tokens);
};

/// The most likely number of different hashes, before the bias of a small sketch is taken off:
/// Newton's method, from below. 0 when no cell is set, infinity when none is unset.
///
/// Cost: about 1 us.
double most_likely(const Likelihood& likelihood);

/// c of equation 13, for ExaLogLog(2, 24); a test derives it again.
inline constexpr double bias_constant = 0.09119;

/// The most likely number of people, without bias.
double estimate(const Likelihood& likelihood);

}  // namespace footfall::sketches
