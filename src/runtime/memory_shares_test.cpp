#include "runtime/memory_shares.h"

#include <gtest/gtest.h>

#include <array>

namespace footfall::runtime {
namespace {

constexpr std::array<std::size_t, 3> least{100, 200, 0};

TEST(MemoryShares, begin_alike_beyond_the_least) {
    MemoryShares shares{600, least};
    EXPECT_EQ(shares.share(0).bytes(), 200U);
    EXPECT_EQ(shares.share(1).bytes(), 300U);
    EXPECT_EQ(shares.share(2).bytes(), 100U);
}

TEST(MemoryShares, who_is_short_gets_what_others_do_not_need_down_to_their_least) {
    MemoryShares shares{600, least};
    for (std::uint32_t turn = 0; turn < MemoryShares::content_turns - 1; ++turn) {
        shares.share(2).note_short();
        shares.follow_use();
        EXPECT_EQ(shares.share(2).bytes(), 100U) << "the others may be short in a moment";
    }
    for (std::size_t turn = 0; turn < 2 * MemoryShares::steps; ++turn) {
        const std::size_t before = shares.share(2).bytes();
        shares.share(2).note_short();
        shares.follow_use();
        EXPECT_LE(shares.share(2).bytes(), before + 600 / MemoryShares::steps);
        EXPECT_EQ(
            shares.share(0).bytes() + shares.share(1).bytes() + shares.share(2).bytes(), 600U
        );
    }
    EXPECT_EQ(shares.share(0).bytes(), 100U);
    EXPECT_EQ(shares.share(1).bytes(), 200U);
    EXPECT_EQ(shares.share(2).bytes(), 300U);
}

TEST(MemoryShares, while_all_are_short_or_none_is_nothing_moves) {
    MemoryShares shares{600, least};
    for (int turn = 0; turn < 100; ++turn) {
        for (std::size_t each = 0; turn < 50 && each < least.size(); ++each) {
            shares.share(each).note_short();
        }
        shares.follow_use();
    }
    EXPECT_EQ(shares.share(0).bytes(), 200U);
    EXPECT_EQ(shares.share(1).bytes(), 300U);
}

TEST(MemoryShares, what_is_taken_of_the_budget_goes_from_all_and_comes_back) {
    MemoryShares shares{600, least};
    const auto sum = [&] {
        return shares.share(0).bytes() + shares.share(1).bytes() + shares.share(2).bytes();
    };
    shares.follow_use(150);
    EXPECT_EQ(shares.share(0).bytes(), 150U);
    EXPECT_EQ(shares.share(1).bytes(), 250U);
    EXPECT_EQ(shares.share(2).bytes(), 50U);
    for (int turn = 0; turn < 100; ++turn) {
        shares.share(2).note_short();
        shares.follow_use(150);
        EXPECT_EQ(sum(), 450U) << "use moves what is left";
    }
    EXPECT_EQ(shares.share(2).bytes(), 150U);
    shares.follow_use(10'000);
    EXPECT_EQ(sum(), 300U) << "none is below its least";
    EXPECT_EQ(shares.share(1).bytes(), 200U);
    shares.follow_use(0);
    EXPECT_EQ(sum(), 600U);
}

TEST(MemoryShares, it_comes_back_when_the_use_changes) {
    MemoryShares shares{600, least};
    for (int turn = 0; turn < 100; ++turn) {
        shares.share(2).note_short();
        shares.follow_use();
    }
    for (int turn = 0; turn < 100; ++turn) {
        shares.share(0).note_short();
        shares.follow_use();
    }
    EXPECT_EQ(shares.share(2).bytes(), 0U);
    EXPECT_EQ(shares.share(0).bytes(), 400U);
}

}  // namespace
}  // namespace footfall::runtime
