#include "load/count_check.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace footfall::load {
namespace {

constexpr std::uint64_t operations = 10'000;

/// A world of ten objects in which everything was acknowledged and counted.
class CountCheck : public testing::Test {
protected:
    CountCheck() {
        for (std::uint64_t n = 0; n < operations; ++n) {
            ++after_[traffic_.at(n).object].number;
        }
    }

    CheckResult compare() const {
        return compare_counts(traffic_, outcome_, objects_, before_, after_);
    }

    Traffic traffic_{{.objects = 10}};
    Outcome outcome_{.operations = operations, .unsure = {}};
    std::vector<std::uint64_t> objects_ = objects_to_check(traffic_, false);
    std::vector<Counted> before_ = std::vector<Counted>(10);
    std::vector<Counted> after_ = std::vector<Counted>(10);
};

TEST_F(CountCheck, finds_nothing_where_everything_was_counted_once) {
    const CheckResult result = compare();
    EXPECT_EQ(result.objects, 10U);
    EXPECT_EQ(result.exact, 10U);
    EXPECT_TRUE(result.differences.empty());
}

TEST_F(CountCheck, finds_one_token_too_few_and_one_too_many) {
    const std::uint32_t right = after_[5].number;
    after_[5].number = right - 1;
    ASSERT_EQ(compare().differences.size(), 1U);
    EXPECT_EQ(compare().differences[0].object, 5U);
    EXPECT_EQ(compare().differences[0].least, right);
    EXPECT_EQ(compare().differences[0].counted, right - 1);
    after_[5].number = right + 1;
    EXPECT_EQ(compare().differences.size(), 1U);
}

TEST_F(CountCheck, lets_an_unsure_token_count_or_not) {
    outcome_.unsure = {77};
    const std::uint64_t object = traffic_.at(77).object;
    EXPECT_TRUE(compare().differences.empty());
    EXPECT_EQ(compare().exact, 9U);
    --after_[object].number;
    EXPECT_TRUE(compare().differences.empty());
    --after_[object].number;
    EXPECT_EQ(compare().differences.size(), 1U);
}

TEST_F(CountCheck, of_an_object_that_was_not_empty_asks_for_no_fewer_than_before_or_acknowledged) {
    before_[4].number = 5;
    EXPECT_TRUE(compare().differences.empty()) << "the same tokens may have been there";
    after_[4].number += 5;
    EXPECT_TRUE(compare().differences.empty());
    after_[4].number += 1;
    EXPECT_EQ(compare().differences.size(), 1U);
    before_[4].number = after_[4].number + 1;
    EXPECT_EQ(compare().differences.size(), 1U);
}

TEST_F(CountCheck, lets_a_lower_bound_be_lower) {
    after_[5] = {.number = 100, .at_least = true};
    EXPECT_TRUE(compare().differences.empty());
    after_[5].at_least = false;
    EXPECT_EQ(compare().differences.size(), 1U);
}

TEST_F(CountCheck, expects_no_token_of_a_get) {
    traffic_ = Traffic{{.objects = 10, .get_share = 1}};
    EXPECT_EQ(compare().differences.size(), 10U);
}

TEST(ObjectsToCheck, of_many_are_a_thousand_with_the_hot_ones_among_them) {
    const Traffic traffic{{.objects = 1'000'000, .deviation = 100}};
    const auto chosen = objects_to_check(traffic, false);
    EXPECT_TRUE(std::ranges::is_sorted(chosen));
    EXPECT_GE(
        std::ranges::count_if(
            chosen, [](auto object) { return object > 499'800 && object < 500'200; }
        ),
        200
    );
    EXPECT_GE(std::ranges::count_if(chosen, [](auto object) { return object < 400'000; }), 150);
    EXPECT_EQ(objects_to_check(traffic, true).size(), 1'000'000U);
}

}  // namespace
}  // namespace footfall::load
