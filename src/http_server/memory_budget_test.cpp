#include "http_server/memory_budget.h"

#include <gtest/gtest.h>

#include <optional>
#include <utility>

namespace footfall::http_server {
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

}  // namespace
}  // namespace footfall::http_server
