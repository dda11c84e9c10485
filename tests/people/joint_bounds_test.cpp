#include "sketches/test_pairs.h"

#include <gtest/gtest.h>

namespace footfall::sketches {
namespace {

/// What issue 27 asks of overlaps by sketches, with crowds of up to ten million.
TEST(JointBounds, have_the_truth_outside_in_three_to_seven_of_a_hundred_pairs) {
    Random random{1};
    const auto found = outside_of_bounds(1'000, 10'000'000, random);
    RecordProperty("common", found[0]);
    RecordProperty("only_left", found[1]);
    RecordProperty("only_right", found[2]);
    for (const int outside : found) {
        EXPECT_GE(outside, 30);
        EXPECT_LE(outside, 70);
    }
}

}  // namespace
}  // namespace footfall::sketches
