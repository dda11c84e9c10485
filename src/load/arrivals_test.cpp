#include "load/arrivals.h"

#include <gtest/gtest.h>

#include <cmath>

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

}  // namespace
}  // namespace footfall::load
