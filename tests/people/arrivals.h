#pragma once

#include "foundation/random.h"
#include "sketches/ell.h"

#include <cstdint>
#include <span>
#include <vector>

namespace footfall::people {

/// A hash of which a sketch with usual_precision takes this update.
std::uint64_t hash_with(sketches::Update update);

/// Who comes next, of very many people, for registers that know some already: only those who change
/// a register are drawn, with the number of people who came until then (geometric) and the cell
/// they hit (by its chance). The result is distributed as if all had come, one by one.
class Arrivals {
public:
    /// `registers` are those to begin with, 2^usual_precision.
    explicit Arrivals(std::span<const sketches::Register> registers);

    /// How many people come until one of them changes something, with that one.
    double wait(Random& random) const;

    /// The hash of that one, who is now known.
    std::uint64_t next(Random& random);

private:
    void lower(std::size_t index, std::uint64_t by);

    std::vector<sketches::Register> registers_;
    /// Of the chances that a register changes, sums as a Fenwick tree; units of 2^-64.
    std::vector<std::uint64_t> sums_;
    std::uint64_t whole_ = 0;
};

/// Registers drawn cell by cell, as so many people leave them who come by a Poisson process: each
/// cell was seen with a chance of 1 - exp(-people * its chance).
class PoissonRegisters {
public:
    explicit PoissonRegisters(double people);

    std::vector<sketches::Register> draw(Random& random) const;

private:
    std::vector<double> at_most_;  ///< By value: the chance that a register's newest is not above.
    std::vector<double> seen_;     ///< By value: the chance that its cell was seen.
};

}  // namespace footfall::people
