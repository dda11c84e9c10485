#pragma once

#include "sketches/ell.h"
#include "sketches/sketch.h"

#include <span>

namespace footfall::sketches {

/// How many there are, and between which bounds.
struct Bounded {
    double count = 0;
    double error = 0;  ///< The standard error, relative to the count; to 1 where that is below 1.
    double low = 0;    ///< Between these it is in 95 of 100 cases.
    double high = 0;
};

/// Of two sketches who is in both and who is in one of them alone.
struct Joint {
    Bounded common;
    Bounded only_left;
    Bounded only_right;
    bool exact = false;  ///< Nothing is estimated: low, count and high are the same.
};

/// By the likelihood of both together, which tells more than the counts of each and of their union
/// (Ertl, "New cardinality estimation algorithms for HyperLogLog sketches", 2017, section 4, for
/// cells of ExaLogLog). People of each kind come by a Poisson process; what is most likely is found
/// by Newton's method in logarithms of the three rates, and the error is of the inverse of the
/// curvature there, without what the Poisson process itself adds: the people who came are counted,
/// not their rate.
///
/// Where the error is above a twentieth of the count, bounds are those of the likelihood when the
/// other two rates fit best, with the critical values of Feldman and Cousins ("Unified approach to
/// the classical statistical analysis of small signals", 1998): a count is not below 0, and bounds
/// that do not take that into account hold too often there. Below that, 1.96 errors away.
///
/// Of two sketches of tokens it is exact. Both must be of one key. Pure.
///
/// Cost: 0.25 ms; closed registers 0.2 ms more each.
Joint joint(const Sketch& left, const Sketch& right);

/// The same of registers, as many on each side.
Joint joint(std::span<const Register> left, std::span<const Register> right, unsigned precision);

}  // namespace footfall::sketches
