#include "guard/key_filter.h"

#include "foundation/random.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <vector>

namespace footfall::guard {
namespace {

Instant moment(std::int64_t microseconds) {
    return Instant{std::chrono::microseconds{microseconds}};
}

TEST(KeyFilter, takes_no_memory_before_the_first_key) {
    const KeyFilter filter{1 << 20};
    EXPECT_FALSE(filter.may_contain(7));
    EXPECT_EQ(filter.bytes(), 0U);
    EXPECT_EQ(filter.dropped_through(), Instant::min());
}

TEST(KeyFilter, knows_every_key_and_seldom_another) {
    constexpr std::size_t memory = 64 << 10;
    // Three parts, which have seven sixteenths of the memory, and the last of a half.
    constexpr std::size_t keys_of_three = memory / 16 * 7 * 8 / 20;
    constexpr std::size_t bits_of_a_half = memory / 2 * 8;
    KeyFilter filter{memory};
    Random random{1};
    std::vector<std::uint64_t> keys;
    const auto fill_up_to = [&](std::size_t count) {
        while (keys.size() < count) {
            keys.push_back(random());
            filter.add(keys.back(), moment(static_cast<std::int64_t>(keys.size())));
            ASSERT_EQ(filter.bytes(), filter.recount());
        }
    };
    const auto count_wrong = [&](int others) {
        int wrong = 0;
        for (int other = 0; other < others; ++other) {
            wrong += filter.may_contain(random()) ? 1 : 0;
        }
        return wrong;
    };
    constexpr int others = 100'000;
    fill_up_to(keys_of_three + bits_of_a_half / 20);
    EXPECT_LT(count_wrong(others), others / 400) << "1 in 2,000 for each of four parts";
    fill_up_to(keys_of_three + bits_of_a_half / 6 - 10);
    EXPECT_LT(count_wrong(others), others / 9) << "1 in 12 for the last";
    for (const std::uint64_t key : keys) {
        ASSERT_TRUE(filter.may_contain(key));
    }
    EXPECT_EQ(filter.dropped_through(), Instant::min());
    EXPECT_LE(filter.bytes(), memory);
}

TEST(KeyFilter, drops_the_older_half_and_says_up_to_when) {
    constexpr std::size_t memory = 4 << 10;
    KeyFilter filter{memory};
    Random random{2};
    std::vector<std::uint64_t> keys;
    for (std::int64_t time = 0; time < 100'000; ++time) {
        keys.push_back(random());
        filter.add(keys.back(), moment(time));
        ASSERT_EQ(filter.bytes(), filter.recount());
        ASSERT_LE(filter.bytes(), memory);
    }
    const std::int64_t dropped = filter.dropped_through().time_since_epoch().count();
    // A half of the memory is for 16,384 / 6 = 2,730 keys.
    EXPECT_GT(dropped, 100'000 - 2 * 2731);
    EXPECT_LT(dropped, 100'000 - 2700) << "a half at least is there";
    for (std::size_t time = static_cast<std::size_t>(dropped) + 1; time < keys.size(); ++time) {
        ASSERT_TRUE(filter.may_contain(keys[time]));
    }
}

TEST(KeyFilter, keeps_what_it_has_when_it_may_take_more_and_the_newest_when_less) {
    KeyFilter filter{4 << 10};
    Random random{3};
    std::vector<std::uint64_t> keys;
    const auto add = [&](std::size_t count) {
        for (std::size_t added = 0; added < count; ++added) {
            keys.push_back(random());
            filter.add(keys.back(), moment(static_cast<std::int64_t>(keys.size())));
            ASSERT_EQ(filter.bytes(), filter.recount());
        }
    };
    add(1000);
    filter.set_bytes_max(1 << 20);
    add(50'000);
    EXPECT_EQ(filter.dropped_through(), Instant::min());
    for (const std::uint64_t key : keys) {
        ASSERT_TRUE(filter.may_contain(key));
    }
    filter.set_bytes_max(filter.bytes() - 1);
    EXPECT_EQ(filter.bytes(), filter.recount());
    EXPECT_GE(filter.dropped_through(), moment(1));
    EXPECT_TRUE(filter.may_contain(keys.back()));
    filter.set_bytes_max(0);
    EXPECT_EQ(filter.bytes(), 0U);
    EXPECT_EQ(filter.recount(), 0U);
    EXPECT_EQ(filter.dropped_through(), moment(51'000));
}

TEST(KeyFilter, without_memory_drops_all) {
    KeyFilter filter{0};
    filter.add(7, moment(5));
    filter.add(8, moment(3));
    EXPECT_FALSE(filter.may_contain(7));
    EXPECT_EQ(filter.dropped_through(), moment(5));
    EXPECT_EQ(filter.bytes(), 0U);
}

}  // namespace
}  // namespace footfall::guard
