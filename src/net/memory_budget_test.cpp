#include "net/memory_budget.h"

#include "foundation/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace footfall::net {
namespace {

TEST(MemoryBudget, is_shared_by_all_and_given_back) {
    MemoryBudget budget{10};
    MemoryBudget::Share first{budget};
    std::optional<MemoryBudget::Share> second{std::in_place, budget};
    EXPECT_TRUE(first.hold(4));
    EXPECT_TRUE(second->hold(6));
    EXPECT_FALSE(first.hold(5));
    EXPECT_TRUE(first.hold(4));
    EXPECT_TRUE(second->hold(5));
    EXPECT_TRUE(first.hold(5));
    EXPECT_FALSE(second->hold(6));
    second.reset();
    EXPECT_TRUE(first.hold(10));
    EXPECT_FALSE(first.hold(11));
    EXPECT_TRUE(first.hold(0));
}

TEST(MemoryBudget, goes_over_to_another_as_a_whole_or_not_at_all) {
    MemoryBudget first{10};
    MemoryBudget second{5};
    MemoryBudget::Share share{first};
    EXPECT_TRUE(share.hold_of(first, 8));
    EXPECT_FALSE(share.hold_of(second, 6));
    EXPECT_EQ(share.held(), 8U);
    EXPECT_EQ(first.used(), 8U);
    EXPECT_TRUE(share.hold_of(second, 5));
    EXPECT_EQ(share.held(), 5U);
    EXPECT_EQ(first.used(), 0U);
    EXPECT_EQ(second.used(), 5U);
    EXPECT_FALSE(share.hold(6)) << "the second is its own by now";
}

TEST(MemoryBudget, is_what_all_shares_hold_whatever_they_ask) {
    constexpr std::size_t limit = 1000;
    MemoryBudget budget{limit};
    std::vector<std::unique_ptr<MemoryBudget::Share>> shares(8);
    Random random{1};
    int refused = 0;
    for (int step = 0; step < 100'000; ++step) {
        auto& share = shares[random.below(shares.size())];
        const std::uint64_t choice = random.below(10);
        if (share == nullptr) {
            share = std::make_unique<MemoryBudget::Share>(budget);
        } else if (choice == 0) {
            share.reset();
        } else {
            const std::size_t before = share->held();
            const std::size_t wanted = random.below(limit / 2);
            const std::size_t left = limit - (budget.used() - before);
            const bool holds = share->hold(wanted);
            ASSERT_EQ(holds, wanted <= std::max(left, before));
            ASSERT_EQ(share->held(), holds ? wanted : before);
            refused += holds ? 0 : 1;
        }
        std::size_t held = 0;
        for (const auto& each : shares) {
            held += each != nullptr ? each->held() : 0;
        }
        ASSERT_EQ(budget.used(), held);
    }
    EXPECT_GT(refused, 1000);
    shares.clear();
    EXPECT_EQ(budget.used(), 0U);
}

}  // namespace
}  // namespace footfall::net
