#include "views/highest_classes.h"

#include <gtest/gtest.h>

#include <string>

namespace footfall::views {
namespace {

using namespace std::chrono_literals;

constexpr Instant noon{std::chrono::hours{12}};

TEST(HighestClasses, are_where_a_ranking_begins_for_a_minute) {
    HighestClasses classes;
    EXPECT_EQ(classes.begin("view", RankBy::people, noon), top_size_class);
    classes.note("view", RankBy::people, 4, noon);
    EXPECT_EQ(classes.begin("view", RankBy::people, noon + 59s), 4);
    EXPECT_EQ(classes.begin("view", RankBy::people, noon + 60s), top_size_class);
    EXPECT_EQ(classes.begin("view", RankBy::people, noon - 1s), top_size_class)
        << "a clock set back";
}

TEST(HighestClasses, are_kept_apart_by_what_is_asked) {
    HighestClasses classes;
    classes.note("view", RankBy::people, 4, noon);
    EXPECT_EQ(classes.begin("view", RankBy::views, noon), top_size_class);
    EXPECT_EQ(classes.begin("click", RankBy::people, noon), top_size_class);
}

TEST(HighestClasses, of_any_number_of_actions_take_little) {
    HighestClasses classes;
    for (int action = 0; action < 1000; ++action) {
        classes.note(std::to_string(action), RankBy::people, 4, noon);
    }
    EXPECT_EQ(classes.begin("999", RankBy::people, noon), 4);
    EXPECT_EQ(classes.begin("0", RankBy::people, noon), top_size_class) << "forgotten";
}

}  // namespace
}  // namespace footfall::views
