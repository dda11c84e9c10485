#pragma once

#include "curve.h"

#include <cstddef>
#include <string>
#include <vector>

namespace footfall::people {

/// Of the errors of one way at one number of people.
struct Summary {
    std::size_t runs = 0;
    double bias = 0;
    double rmse = 0;           ///< Root of the mean square.
    double percentile99 = 0;   ///< Of the errors without their sign.
    double squares_error = 0;  ///< Standard error of the mean square.

    explicit Summary(const std::vector<float>& errors);
};

/// The standard error that theory gives, which is what sketches state.
double theory(Way way, double people);

/// What has to hold, what was found, and whether it holds.
struct Verdict {
    std::string promise;
    std::string found;
    bool kept = false;
};

/// Every gate. Each has its figure for ten thousand runs and more; where there are fewer, chance
/// alone would break it, so it is widened to four standard errors of what is judged.
std::vector<Verdict> judged(const Curve& curve);

}  // namespace footfall::people
