#include "ads/rates.h"

#include <gtest/gtest.h>

namespace footfall::ads {
namespace {

constexpr Month later = 600;

TEST(Rates, hold_from_their_day_to_the_next) {
    Rates rates;
    EXPECT_EQ(rates.share(0, later), 0U);
    rates.add({.effective = 10, .share = 200'000, .recorded = 1});
    rates.add({.effective = 20, .share = 250'000, .recorded = 2});
    EXPECT_EQ(rates.share(9, later), 0U);
    EXPECT_EQ(rates.share(10, later), 200'000U);
    EXPECT_EQ(rates.share(19, later), 200'000U);
    EXPECT_EQ(rates.share(20, later), 250'000U);
    EXPECT_EQ(rates.share(1'000'000, later), 250'000U);
}

TEST(Rates, of_several_for_a_day_the_last_counts) {
    Rates rates;
    rates.add({.effective = 10, .share = 200'000, .recorded = 1});
    rates.add({.effective = 10, .share = 300'000, .recorded = 2});
    EXPECT_EQ(rates.share(10, later), 300'000U);
    EXPECT_EQ(rates.share(10, later, 1), 200'000U) << "as it was before the second";
}

TEST(Rates, a_withdrawn_day_counts_as_never_given) {
    Rates rates;
    rates.add({.effective = 10, .share = 200'000, .recorded = 1});
    rates.add({.effective = 20, .share = 0, .recorded = 2});
    EXPECT_EQ(rates.share(20, later), 0U) << "a rate of nothing is one";
    rates.add({.effective = 20, .share = {}, .recorded = 3});
    EXPECT_EQ(rates.share(20, later), 200'000U);
    rates.add({.effective = 20, .share = 400'000, .recorded = 4});
    EXPECT_EQ(rates.share(20, later), 400'000U) << "given anew";
    rates.add({.effective = 10, .share = {}, .recorded = 5});
    EXPECT_EQ(rates.share(15, later), 0U);
}

TEST(Rates, what_was_booked_later_says_nothing_of_a_month) {
    Rates rates;
    rates.add({.effective = 10, .share = 200'000, .recorded = 1});
    rates.add({.effective = 10, .share = 300'000, .booked = 5, .recorded = 2});
    EXPECT_EQ(rates.share(10, 4), 200'000U);
    EXPECT_EQ(rates.share(10, 5), 300'000U);
}

TEST(Rates, a_month_has_its_changes_in_the_order_they_were_recorded) {
    Rates rates;
    rates.add({.effective = 30, .share = 1, .booked = 5, .recorded = 1});
    rates.add({.effective = 10, .share = 2, .booked = 5, .recorded = 2});
    rates.add({.effective = 20, .share = 3, .booked = 6, .recorded = 3});
    const std::vector<RateChange> changes = rates.booked_in(5);
    ASSERT_EQ(changes.size(), 2U);
    EXPECT_EQ(changes[0].effective, 30);
    EXPECT_EQ(changes[1].effective, 10);
}

}  // namespace
}  // namespace footfall::ads
