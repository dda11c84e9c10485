#pragma once

#include "audience/terms.h"
#include "foundation/siphash.h"

#include <cstdint>
#include <optional>

/// What whoever may ask for numbers only is shown in place of a number of people, so that nobody
/// learns from numbers whether a certain person is in a set. Pure.
///
/// To each number noise is added that a key, the day and the question say: the same question has
/// the same answer all day (DayNumbers keeps it), so asking again says nothing new. What is noise
/// is *not* said by the people who are in the answer: two questions that differ by one person would
/// have the same noise exactly if that person makes no difference, which is what nobody is to know.
///
/// So questions that are put differently have noise of their own each, and whoever asks many can
/// average: of `n` numbers the average has a standard deviation of sigma / sqrt(n), and a person
/// moves it by 1. The best guess whether somebody is in a set is then right with a chance of
/// Phi(sqrt(n) / (2 sigma)), which sigma = 2.8 sqrt(n) holds at 57.1 % for all of a day's numbers,
/// whatever they are (the Gaussian mechanism: Dwork and Roth, "The Algorithmic Foundations of
/// Differential Privacy", 2014, appendix A; in the terms of Bun and Steinke, "Concentrated
/// Differential Privacy", 2016, a day costs 0.064 zCDP).
///
/// What is shown or not is decided by the number with its noise, never by the number itself: a
/// threshold on that would tell 49 from 50.
namespace footfall::audience {

/// The standard deviation of noise, in people.
double sigma(const Terms& terms);

/// Noise is never more than that, to either side: four standard deviations.
std::int64_t noise_max(const Terms& terms);

/// The noise of the answer to a question, by its hash, on a day, in days since 1970-01-01.
std::int64_t noise(SipKey secret, std::int32_t day, std::uint64_t question, const Terms& terms);

/// The least number that is ever shown: noise could have made it of `least` people, and of no
/// fewer.
std::uint64_t least_shown(const Terms& terms);

/// What is shown of so many people; absent: that they are fewer than least_shown().
std::optional<std::uint64_t> shown(std::uint64_t people, std::int64_t noise, const Terms& terms);

}  // namespace footfall::audience
