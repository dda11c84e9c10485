#include "rankings/half_life.h"

#include "foundation/random.h"
#include "rankings/test_trends.h"

#include <gtest/gtest.h>

#include <cmath>

namespace footfall::rankings {
namespace {

/// The sum of one event.
double worth(Instant event_time, Instant now, double weight = 1) {
    HalfLife scale{1h};
    scale.advance(scale.place_of(std::max(event_time, now)));
    return scale.value(scale.units(scale.place_of(event_time), weight), now);
}

TEST(HalfLife, an_event_of_now_is_worth_its_weight) {
    EXPECT_DOUBLE_EQ(worth(noon, noon), 1);
    EXPECT_DOUBLE_EQ(worth(noon + 37min, noon + 37min), 1);
    EXPECT_NEAR(worth(noon, noon, 0.25), 0.25, 1e-4);
    EXPECT_NEAR(worth(noon, noon, 1234.5), 1234.5, 0.1);
}

TEST(HalfLife, halves_an_event_in_every_half_life) {
    EXPECT_DOUBLE_EQ(worth(noon, noon + 1h), 0.5);
    EXPECT_DOUBLE_EQ(worth(noon, noon + 10h), 1.0 / 1024);
    EXPECT_DOUBLE_EQ(worth(Instant{-15min}, Instant{45min}), 0.5) << "before 1970";
    Random random{1};
    for (int round = 0; round < 10'000; ++round) {
        const std::chrono::seconds age{random.below(18 * 3600)};
        const Instant now = noon + std::chrono::seconds{random.below(100'000)};
        const double exact = std::exp2(-static_cast<double>(age.count()) / 3600);
        EXPECT_NEAR(worth(now - age, now) / exact, 1, 0.002) << age.count();
    }
}

TEST(HalfLife, what_is_to_come_is_worth_more) {
    EXPECT_NEAR(worth(noon + 5min, noon), std::exp2(5.0 / 60), 0.001);
}

TEST(HalfLife, old_events_are_worth_nothing) {
    EXPECT_EQ(worth(noon - std::chrono::days{3650}, noon), 0);
    EXPECT_EQ(worth(Instant{-std::chrono::days{36'500}}, noon), 0) << "before 1970";
    EXPECT_GT(worth(noon - 24h, noon), 0);
}

TEST(HalfLife, a_sum_is_the_same_whenever_it_is_shifted) {
    Random random{2};
    for (int round = 0; round < 1000; ++round) {
        HalfLife early{1h};
        HalfLife late{1h};
        early.advance(early.place_of(noon));
        late.advance(late.place_of(noon + 18h));
        HalfLife::Units sum_early = 0;
        HalfLife::Units sum_late = 0;
        for (int event = 0; event < 5; ++event) {
            const Instant time = noon + std::chrono::seconds{random.below(3600)};
            const double weight = random.fraction() * 1000;
            sum_early += early.units(early.place_of(time), weight);
            sum_late += late.units(late.place_of(time), weight);
        }
        EXPECT_EQ(HalfLife::shifted(sum_early, 18), sum_late);
    }
}

TEST(HalfLife, tells_by_how_many_bits_sums_are_to_be_shifted) {
    HalfLife scale{1h};
    EXPECT_EQ(scale.advance(scale.place_of(noon)), 0U) << "there are no sums yet";
    EXPECT_EQ(scale.advance(scale.place_of(noon + 59min)), 0U);
    EXPECT_EQ(scale.advance(scale.place_of(noon + 60min)), 1U);
    EXPECT_EQ(scale.advance(scale.place_of(noon)), 0U) << "it never goes back";
    EXPECT_EQ(scale.advance(scale.place_of(noon + 100h)), 99U);
    EXPECT_EQ(HalfLife::shifted(~std::uint64_t{0}, 99), 0U);
}

TEST(HalfLife, sums_stop_at_the_largest) {
    EXPECT_EQ(HalfLife::added(~std::uint64_t{0}, 1), ~std::uint64_t{0});
    EXPECT_NEAR(worth(noon, noon, 1e300), HalfLife::largest_weight, 1);
}

TEST(HalfLifeDeathTest, counts_no_negative_people) {
    EXPECT_DEATH(worth(noon, noon, -1), "a weight is a number from 0 on");
    EXPECT_DEATH(worth(noon, noon, std::nan("")), "a weight is a number from 0 on");
    EXPECT_DEATH(HalfLife{1s}, "no half-life");
}

}  // namespace
}  // namespace footfall::rankings
