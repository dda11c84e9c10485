#include "guard/seen_table.h"

#include "foundation/random.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <utility>

namespace footfall::guard {
namespace {

Instant at(std::int64_t microseconds) {
    return Instant{std::chrono::microseconds{microseconds}};
}

TEST(SeenTable, knows_the_highest_time_of_each_key) {
    SeenTable table{1 << 20};
    EXPECT_EQ(table.highest(7), std::nullopt);
    table.note(7, at(10), Instant::min());
    table.note(7, at(5), Instant::min());
    table.note(8, at(-3), Instant::min());
    EXPECT_EQ(table.highest(7), at(10));
    table.note(7, at(11), Instant::min());
    EXPECT_EQ(table.highest(7), at(11));
    EXPECT_EQ(table.highest(8), at(-3));
    EXPECT_EQ(table.size(), 2U);
    EXPECT_EQ(table.forgotten_through(), Instant::min());
}

TEST(SeenTable, holds_keys_at_both_ends_and_close_together) {
    SeenTable table{1 << 20};
    constexpr std::uint64_t last = ~std::uint64_t{0};
    constexpr std::uint64_t keys = 20;
    for (std::uint64_t each = 0; each < keys; ++each) {
        table.note(each, at(1), Instant::min());
        table.note(last - each, at(2), Instant::min());
    }
    for (std::uint64_t each = 0; each < keys; ++each) {
        ASSERT_EQ(table.highest(each), at(1));
        ASSERT_EQ(table.highest(last - each), at(2));
    }
    EXPECT_EQ(table.highest(keys), std::nullopt);
    EXPECT_EQ(table.highest(last - keys), std::nullopt);
}

TEST(SeenTable, takes_at_most_24_bytes_a_key) {
    SeenTable table{64 << 20};
    Random random{1};
    for (std::size_t keys = 1; keys <= 400'000; ++keys) {
        table.note(random(), at(1), Instant::min());
        if (keys >= 1000) {
            ASSERT_LE(table.bytes(), keys * 24) << keys;
        }
    }
    EXPECT_EQ(table.size(), 400'000U);
}

/// Beside a map of all that was noted: what is there is right, and what is not there was forgotten.
TEST(SeenTable, forgets_within_its_memory_and_says_up_to_when) {
    constexpr std::size_t memory = 64 << 10;
    SeenTable table{memory};
    Random random{2};
    std::map<std::uint64_t, std::int64_t> noted;
    std::int64_t dispensable = 0;
    for (int step = 0; step < 100'000; ++step) {
        const std::uint64_t key = random.below(20'000) * 0x9e3779b97f4a7c15;
        const std::int64_t time = step + static_cast<std::int64_t>(random.below(1000));
        dispensable = step - 500;
        table.note(key, at(time), at(dispensable));
        std::int64_t& known = noted.try_emplace(key, time).first->second;
        known = std::max(known, time);
        ASSERT_EQ(table.highest(key).value_or(at(-1)) <= at(known), true);
        ASSERT_LE(table.bytes(), memory);
        ASSERT_EQ(table.bytes(), table.recount());
        ASSERT_EQ(table.size(), table.count_keys());
    }
    std::size_t found = 0;
    for (const auto& [key, time] : noted) {
        const auto highest = table.highest(key);
        found += highest ? 1 : 0;
        if (highest != at(time)) {
            ASSERT_LE(at(time), table.forgotten_through());
            ASSERT_LT(time, dispensable) << "what is of use is there";
        }
    }
    EXPECT_EQ(found, table.size());
    EXPECT_LT(table.forgotten_through(), at(dispensable)) << "none that was still of use";
}

TEST(SeenTable, its_account_is_what_is_there_while_its_memory_changes) {
    SeenTable table{1 << 10};
    Random random{4};
    for (int step = 0; step < 50'000; ++step) {
        if (random.below(200) == 0) {
            table.set_bytes_max(random.below(32 << 10), random.below(32 << 10), at(step - 500));
        }
        table.note(random(), at(step), at(step - 500), at(step - 2000));
        ASSERT_EQ(table.bytes(), table.recount());
        ASSERT_EQ(table.size(), table.count_keys());
    }
}

TEST(SeenTable, forgets_the_older_ones_when_all_are_of_use) {
    SeenTable table{64 << 10};
    Random random{3};
    constexpr int keys = 20'000;
    for (int key = 0; key < keys; ++key) {
        table.note(random(), at(key), Instant::min());
    }
    EXPECT_GT(table.forgotten_through(), Instant::min());
    EXPECT_LT(table.forgotten_through(), at(keys - keys / 20)) << "hardly any of the newest";
}

/// As happens each second where jobs share memory.
TEST(SeenTable, forgets_the_older_ones_while_its_memory_changes) {
    constexpr std::size_t memory = 256 << 10;
    SeenTable table{memory};
    Random random{5};
    constexpr int keys = 150'000;
    for (int key = 0; key < keys; ++key) {
        if (key % 50 == 0) {
            table.set_bytes_max(key % 100 == 0 ? memory : memory / 8 * 7, 0, Instant::min());
        }
        table.note(random(), at(key), Instant::min());
    }
    EXPECT_GT(table.size(), 10'000U);
    EXPECT_LT(table.forgotten_through(), at(keys - 6000)) << "none of the newer half";
}

/// Where most of what is noted is soon of no use, a table stays as small as what is.
TEST(SeenTable, forgets_what_is_of_no_use_before_it_is_full) {
    SeenTable table{1 << 20};
    Random random{6};
    constexpr int of_use = 5000;
    for (int key = 0; key < 400'000; ++key) {
        table.note(random(), at(key), at(key - of_use));
        ASSERT_LE(table.size(), of_use + of_use / 2) << key;
    }
    EXPECT_LT(table.bytes(), (of_use + of_use / 2) * 24);
    EXPECT_LT(table.forgotten_through(), at(400'000 - of_use)) << "and nothing else";
}

}  // namespace
}  // namespace footfall::guard
