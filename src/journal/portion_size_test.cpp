#include "journal/portion_size.h"

#include <gtest/gtest.h>

namespace footfall::journal {
namespace {

TEST(PortionSize, halves_with_failures_and_doubles_with_successes_between_its_ends) {
    PortionSize portion{16, 1'000};
    EXPECT_EQ(portion.records(), 1'000U);
    portion.note(false);
    EXPECT_EQ(portion.records(), 500U);
    portion.note(false);
    portion.note(true);
    EXPECT_EQ(portion.records(), 500U);
    for (int failure = 0; failure < 20; ++failure) {
        portion.note(false);
    }
    EXPECT_EQ(portion.records(), 16U);
    for (int success = 0; success < 20; ++success) {
        portion.note(true);
    }
    EXPECT_EQ(portion.records(), 1'000U);
}

}  // namespace
}  // namespace footfall::journal
