#include "ads/account.h"

#include "ads/rounding.h"
#include "ads/test_days.h"

#include <gtest/gtest.h>

#include <optional>
#include <string_view>

namespace footfall::ads {
namespace {

Amounts click(WideMicros amount) {
    return {.clicks = 1, .amount = amount};
}

Exact all_of(const Income& income) {
    Exact sum = 0;
    for (const DayIncome& each : income.days) {
        sum += each.income;
    }
    for (const Adjustment& each : income.adjustments) {
        sum += each.is - each.was;
    }
    return sum;
}

TEST(Months, are_counted_from_1970) {
    EXPECT_EQ(month_of(day_named("1970-01-31")), 0);
    EXPECT_EQ(month_of(day_named("1969-12-31")), -1);
    EXPECT_EQ(first_day(month_of(day_named("2024-02-29"))), day_named("2024-02-01"));
    EXPECT_EQ(last_day(month_of(day_named("2024-02-03"))), day_named("2024-02-29"));
    EXPECT_EQ(last_day(month_of(day_named("1969-12-03"))), day_named("1969-12-31"));
}

TEST(Months, what_becomes_known_is_booked_where_it_is_not_sealed) {
    const Day in_march = day_named("2026-03-15");
    const Month march = month_of(in_march);
    EXPECT_EQ(booked_month(in_march, std::nullopt), march);
    EXPECT_EQ(booked_month(in_march, march - 1), march);
    EXPECT_EQ(booked_month(in_march, march), march + 1);
    EXPECT_EQ(booked_month(in_march, march + 2), march + 3);
    EXPECT_EQ(booked_month_of_rate(std::nullopt), from_the_beginning);
    EXPECT_EQ(booked_month_of_rate(march), march + 1);
}

/// Rates of 20 %, 25 %, 30 %; clicks on both sides of the last change.
class Example : public testing::Test {
protected:
    Example() {
        rates_.add({.effective = day_named("2011-02-13"), .share = 200'000, .recorded = 1});
        rates_.add({.effective = day_named("2012-01-22"), .share = 250'000, .recorded = 2});
        rates_.add({.effective = day_named("2013-11-30"), .share = 300'000, .recorded = 3});
        account_.add(day_named("2013-11-28"), november_, click(5'000));
        account_.add(day_named("2013-11-29"), november_, click(7'500));
        account_.add(day_named("2013-11-30"), november_, click(10'000));
        account_.add(day_named("2013-12-01"), november_ + 1, click(10'000));
    }

    Income income(std::string_view from, std::string_view to) const {
        return account_.income(day_named(from), day_named(to), rates_).value();
    }

    const Month november_ = month_of(day_named("2013-11-01"));
    Rates rates_;
    Account account_;
};

TEST_F(Example, each_day_earns_its_share) {
    const Income all = income("2013-11-28", "2013-12-01");
    ASSERT_EQ(all.days.size(), 4U);
    EXPECT_EQ(all.days[0].income, 5'000LL * 250'000);
    EXPECT_EQ(all.days[1].income, 7'500LL * 250'000);
    EXPECT_EQ(all.days[2].income, 10'000LL * 300'000);
    EXPECT_EQ(all.days[3].income, 10'000LL * 300'000);
    EXPECT_TRUE(all.adjustments.empty());
    EXPECT_EQ(rounded(all_of(all)), 9'125) << "0.009125";
    EXPECT_EQ(income("2013-11-29", "2013-11-29").days.size(), 1U);
    EXPECT_TRUE(income("2013-12-02", "2014-12-31").days.empty());
}

TEST_F(Example, a_backdated_rate_moves_days_that_are_open) {
    rates_.add({.effective = day_named("2013-11-01"), .share = 500'000, .recorded = 4});
    const Income all = income("2013-11-28", "2013-12-01");
    EXPECT_EQ(all.days[0].income, 5'000LL * 500'000);
    EXPECT_EQ(all.days[2].income, 10'000LL * 300'000) << "until the next rate";
    EXPECT_TRUE(all.adjustments.empty());
}

TEST_F(Example, after_a_seal_it_is_an_adjustment_of_the_next_month) {
    rates_.add(
        {.effective = day_named("2013-11-01"),
         .share = 500'000,
         .booked = booked_month_of_rate(november_),
         .recorded = 4}
    );
    const Income november = income("2013-11-01", "2013-11-30");
    EXPECT_EQ(november.days[0].income, 5'000LL * 250'000) << "as it was sealed";
    EXPECT_TRUE(november.adjustments.empty());
    const Income december = income("2013-12-01", "2013-12-31");
    ASSERT_EQ(december.adjustments.size(), 2U);
    EXPECT_EQ(december.adjustments[0].day, day_named("2013-11-28"));
    EXPECT_EQ(december.adjustments[0].posted, day_named("2013-12-01"));
    EXPECT_EQ(december.adjustments[0].cause, Cause::rate);
    EXPECT_EQ(december.adjustments[0].recorded, 4U);
    EXPECT_EQ(december.adjustments[0].was, 5'000LL * 250'000);
    EXPECT_EQ(december.adjustments[0].is, 5'000LL * 500'000);
    EXPECT_EQ(december.adjustments[1].day, day_named("2013-11-29"));
    EXPECT_TRUE(income("2013-12-02", "2013-12-31").adjustments.empty()) << "posted on the first";
}

TEST_F(Example, a_late_refund_takes_back_at_the_rate_of_its_day) {
    account_.add(
        day_named("2013-11-28"),
        booked_month(day_named("2013-11-28"), november_),
        {.refunds = 1, .amount = -5'000}
    );
    const Income december = income("2013-12-01", "2013-12-31");
    ASSERT_EQ(december.adjustments.size(), 1U);
    EXPECT_EQ(december.adjustments[0].cause, Cause::late);
    EXPECT_EQ(december.adjustments[0].amounts, (Amounts{.refunds = 1, .amount = -5'000}));
    EXPECT_EQ(december.adjustments[0].was, 5'000LL * 250'000);
    EXPECT_EQ(december.adjustments[0].is, 0);
}

TEST_F(Example, a_late_event_and_a_new_rate_are_told_apart) {
    account_.add(day_named("2013-11-28"), november_ + 1, click(1'000));
    rates_.add(
        {.effective = day_named("2013-11-28"),
         .share = 300'000,
         .booked = november_ + 1,
         .recorded = 4}
    );
    rates_.add(
        {.effective = day_named("2013-11-28"),
         .share = 400'000,
         .booked = november_ + 1,
         .recorded = 5}
    );
    const Income december = income("2013-12-01", "2013-12-31");
    ASSERT_EQ(december.adjustments.size(), 5U) << "three of one day, two of the next";
    EXPECT_EQ(december.adjustments[0].is, 6'000LL * 250'000);
    EXPECT_EQ(december.adjustments[1].is, 6'000LL * 300'000);
    EXPECT_EQ(december.adjustments[2].is, 6'000LL * 400'000);
    EXPECT_EQ(december.adjustments[2].was, december.adjustments[1].is);
    EXPECT_EQ(
        account_.value(day_named("2013-11-28"), november_ + 1, rates_).value(), 6'000LL * 400'000
    );
}

}  // namespace
}  // namespace footfall::ads
