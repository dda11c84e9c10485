#include "views_routes/kept_rankings.h"

#include <gtest/gtest.h>

#include <string>

namespace footfall::views::routes {
namespace {

using namespace std::chrono_literals;

class KeptRankingsTest : public testing::Test {
protected:
    /// Of how many rankings were made before.
    std::string top(std::string_view action, std::size_t limit = 10) {
        const auto ranking = rankings_.top({.action = std::string{action}, .limit = limit});
        return ranking ? ranking->objects.at(0).object : ranking.error().message;
    }

    KeptRankings::Clock::time_point now_{};
    KeptRankings::Clock::duration takes_ = 100ms;
    bool fails_ = false;
    int made_ = 0;
    KeptRankings rankings_{
        [this](const KeptRankings::Asked& asked, const std::stop_token&) -> Result<Ranking> {
            now_ += takes_;
            if (fails_) {
                return fail(ErrorKind::unavailable, "the store is away");
            }
            Ranking ranking;
            ranking.objects.push_back({.object = asked.action + " " + std::to_string(++made_)});
            return ranking;
        },
        [this] { return now_; }
    };
};

TEST_F(KeptRankingsTest, keep_one_for_twenty_times_as_long_as_it_took) {
    EXPECT_EQ(top("view"), "view 1");
    now_ += 2s;
    EXPECT_EQ(top("view"), "view 1");
    now_ += 1ms;
    EXPECT_EQ(top("view"), "view 2");
}

TEST_F(KeptRankingsTest, keep_one_no_longer_than_ten_seconds) {
    takes_ = 3s;
    EXPECT_EQ(top("view"), "view 1");
    now_ += 10s;
    EXPECT_EQ(top("view"), "view 1");
    now_ += 1ms;
    EXPECT_EQ(top("view"), "view 2");
}

TEST_F(KeptRankingsTest, keep_none_that_was_made_at_once) {
    takes_ = 10ms;
    EXPECT_EQ(top("view"), "view 1");
    EXPECT_EQ(top("view"), "view 2");
}

TEST_F(KeptRankingsTest, keep_what_was_asked_apart_and_a_few_of_them) {
    EXPECT_EQ(top("view"), "view 1");
    EXPECT_EQ(top("click"), "click 2");
    EXPECT_EQ(top("view", 20), "view 3");
    EXPECT_EQ(top("view"), "view 1");
    takes_ = 200ms;
    for (std::size_t limit = 30; limit < 50; ++limit) {
        top("view", limit);
    }
    const int made = made_;
    top("view", 30);
    EXPECT_EQ(made_, made) << "kept";
    top("view", 49);
    EXPECT_EQ(made_, made + 1) << "one too many";
}

TEST_F(KeptRankingsTest, keep_no_failure) {
    fails_ = true;
    EXPECT_EQ(top("view"), "the store is away");
    fails_ = false;
    EXPECT_EQ(top("view"), "view 1");
}

}  // namespace
}  // namespace footfall::views::routes
