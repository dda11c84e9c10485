#pragma once

#include "foundation/random.h"
#include "sketches/joint.h"
#include "sketches/registers.h"

#include <array>
#include <cmath>
#include <vector>

namespace footfall::sketches {

/// Registers of two crowds, of whom so many are in both.
struct TestPair {
    std::vector<Register> left = std::vector<Register>(std::size_t{1} << usual_precision);
    std::vector<Register> right = left;

    TestPair(double only_left, double only_right, double common, Random& random) {
        fill(only_left, random, true, false);
        fill(only_right, random, false, true);
        fill(common, random, true, true);
    }

    Joint joined() const { return joint(left, right, usual_precision); }

private:
    void fill(double people, Random& random, bool in_left, bool in_right) {
        for (double at = 0; at < people; ++at) {
            const Update update = update_of(random(), usual_precision);
            if (in_left) {
                left[update.index] = with_value(left[update.index], update.value);
            }
            if (in_right) {
                right[update.index] = with_value(right[update.index], update.value);
            }
        }
    }
};

/// Of how many of so many random pairs the truth lies outside of the bounds: of common, of those
/// in the left one alone, of those in the right one alone. Each side has from 1,000 to `most`
/// people, large and small ones alike often, and from a thousandth to all of the smaller side are
/// in both.
inline std::array<int, 3> outside_of_bounds(int pairs, double most, Random& random) {
    std::array<int, 3> outside{};
    for (int at = 0; at < pairs; ++at) {
        const auto between = [&](double least, double largest) {
            return least * std::pow(largest / least, random.fraction());
        };
        const double left = std::round(between(1'000, most));
        const double right = std::round(between(1'000, most));
        const double common = std::round(std::min(left, right) * between(0.001, 1));
        const Joint found = TestPair{left - common, right - common, common, random}.joined();
        const auto count = [](const Bounded& bounded, double truth) {
            return truth < bounded.low || truth > bounded.high ? 1 : 0;
        };
        outside[0] += count(found.common, common);
        outside[1] += count(found.only_left, left - common);
        outside[2] += count(found.only_right, right - common);
    }
    return outside;
}

}  // namespace footfall::sketches
