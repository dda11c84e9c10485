#include "load/arrivals.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace footfall::load {
namespace {

TEST(Arrivals, at_a_constant_rate_are_evenly_spaced_and_do_not_drift) {
    Arrivals arrivals{ArrivalKind::constant, 3, 1};
    EXPECT_EQ(arrivals.due(), 0);
    arrivals.advance();
    EXPECT_EQ(arrivals.due(), 333'333'333);
    arrivals.advance();
    arrivals.advance();
    EXPECT_EQ(arrivals.due(), 1'000'000'000);
    for (int i = 3; i < 3 * 3600; ++i) {
        arrivals.advance();
    }
    EXPECT_EQ(arrivals.due(), 3'600'000'000'000);
}

TEST(Arrivals, as_people_come_have_the_rate_and_the_spread_of_a_poisson_process) {
    Arrivals arrivals{ArrivalKind::poisson, 1000, 5};
    constexpr int arrived = 200'000;
    double squares = 0;
    std::int64_t before = arrivals.due();
    for (int i = 0; i < arrived; ++i) {
        arrivals.advance();
        ASSERT_GE(arrivals.due(), before);
        const double gap = static_cast<double>(arrivals.due() - before) / 1e6;  // mean 1
        squares += gap * gap;
        before = arrivals.due();
    }
    // Mean and mean square of an exponential distribution are 1 and 2; five standard errors.
    EXPECT_NEAR(static_cast<double>(before) / 1e6 / arrived, 1, 5 / std::sqrt(arrived));
    EXPECT_NEAR(squares / arrived, 2, 5 * std::sqrt(20.0 / arrived));
}

TEST(Arrivals, of_the_same_seed_are_the_same) {
    Arrivals one{ArrivalKind::poisson, 10, 5};
    Arrivals same{ArrivalKind::poisson, 10, 5};
    Arrivals other{ArrivalKind::poisson, 10, 6};
    for (Arrivals* each : {&one, &same, &other}) {
        each->advance();
    }
    EXPECT_EQ(one.due(), same.due());
    EXPECT_NE(one.due(), other.due());
}

TEST(Arrivals, of_a_profile_come_as_its_weights_say_and_as_often_in_all) {
    // 100 a second: one even second, then four seconds of 50, 0, 250 and 100, then even again.
    Arrivals arrivals{
        ArrivalKind::constant,
        100,
        1,
        {.weights = {1, 0, 5, 2}, .begin = 1'000'000'000, .length = 4'000'000'000}
    };
    std::vector<int> seconds(7);
    std::int64_t before = 0;
    while (arrivals.due() < 7'000'000'000) {
        ASSERT_GE(arrivals.due(), before);
        before = arrivals.due();
        ++seconds[static_cast<std::size_t>(before / 1'000'000'000)];
        arrivals.advance();
    }
    const std::vector<int> wanted{100, 50, 0, 250, 100, 100, 100};
    for (std::size_t second = 0; second < wanted.size(); ++second) {
        EXPECT_NEAR(seconds[second], wanted[second], 1) << second;  // one may stand on the border
    }
}

}  // namespace
}  // namespace footfall::load
