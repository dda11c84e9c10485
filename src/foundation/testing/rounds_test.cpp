#include "foundation_testing/rounds.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace footfall {
namespace {

class Rounds : public testing::Test {
protected:
    ~Rounds() override { ::unsetenv("FOOTFALL_ROUNDS_PERCENT"); }

    Rounds() { set(nullptr); }

    static void set(const char* percent) {
        if (percent == nullptr) {
            ::unsetenv("FOOTFALL_ROUNDS_PERCENT");
        } else {
            ::setenv("FOOTFALL_ROUNDS_PERCENT", percent, 1);
        }
    }
};

TEST_F(Rounds, are_all_where_nothing_is_said) {
    EXPECT_EQ(rounds(40), 40U);
}

TEST_F(Rounds, are_the_share_that_is_said_and_one_at_least) {
    set("25");
    EXPECT_EQ(rounds(40), 10U);
    EXPECT_EQ(rounds(1'000'000'000), 250'000'000U);
    EXPECT_EQ(rounds(3), 1U);
    set("100");
    EXPECT_EQ(rounds(40), 40U);
}

TEST_F(Rounds, of_no_share_are_refused) {
    for (const char* const percent : {"0", "101", "many", ""}) {
        set(percent);
        EXPECT_DEATH(rounds(40), "FOOTFALL_ROUNDS_PERCENT is 1 to 100");
    }
}

}  // namespace
}  // namespace footfall
