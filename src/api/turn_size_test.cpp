#include "api/turn_size.h"

#include <gtest/gtest.h>

namespace footfall::api {
namespace {

using namespace std::chrono_literals;

TEST(TurnSize, follows_what_lines_cost) {
    TurnSize size;
    for (int turn = 0; turn < 5; ++turn) {
        size.note(size.lines(), size.lines() * 5us);
    }
    EXPECT_EQ(size.lines(), TurnSize::most);
    for (int turn = 0; turn < 5; ++turn) {
        size.note(size.lines(), size.lines() * 300us);
    }
    EXPECT_NEAR(static_cast<double>(size.lines()), TurnSize::wanted / 300us, 1);
    for (int turn = 0; turn < 10; ++turn) {
        size.note(size.lines(), 10s);
    }
    EXPECT_EQ(size.lines(), TurnSize::least) << "or a batch would never end";
}

TEST(TurnSize, takes_no_short_turn_for_a_long_one) {
    TurnSize size;
    const std::size_t before = size.lines();
    size.note(1, 1us);
    EXPECT_EQ(size.lines(), before);
    size.note(1, 30ms);
    EXPECT_EQ(size.lines(), before / 4) << "one that was held up";
}

}  // namespace
}  // namespace footfall::api
