#pragma once

/// How far off counts are: relative standard errors, from theory. `./prove people` holds them
/// against what is found.
///
/// Cost: 50 ns, the first time 1 ms. Thread-safe.
namespace footfall::sketches {

/// Of a count by tokens.
double token_error(double tokens);

/// Of a count by the likelihood of 2^usual_precision registers: 0.49 % of a thousand people, 0.76 %
/// of millions.
double likelihood_error(double people);

/// Of a count by their martingale, which began once `exact` were known: 0.47 % of a thousand,
/// 0.68 % of millions, less of hardly more than `exact`. Never above likelihood_error(), nor is a
/// martingale that goes on where a likelihood left off.
double martingale_error(double people, double exact);

}  // namespace footfall::sketches
