#include "views_routes/views_settings.h"

#include <gmock/gmock.h>

#include <array>
#include <string>
#include <vector>

namespace footfall::views::routes {
namespace {

using namespace std::chrono_literals;

Result<std::shared_ptr<const jobs::Options>> read(std::vector<jobs::GivenValue> given) {
    return views_settings.read({.sections = {}, .values = given});
}

TEST(ViewsSettings, say_how_trending_goes) {
    const auto options = read(
        {{.name = "trending_fast", .text = "30m", .origin = "a"},
         {.name = "trending_slow", .text = "2d", .origin = "a"},
         {.name = "trending_floor", .text = "1.5", .origin = "a"},
         {.name = "trending_people", .text = "10", .origin = "a"},
         {.name = "trending_score", .text = "0", .origin = "a"},
         {.name = "trending_per_site", .text = "0", .origin = "a"}}
    );
    ASSERT_TRUE(options) << options.error().message;
    const auto& trending = dynamic_cast<const ViewsOptions&>(**options).trending;
    EXPECT_EQ(trending.fast_half_life, 30min);
    EXPECT_EQ(trending.slow_half_life, 48h);
    EXPECT_EQ(trending.least_fast, 1.5);
    EXPECT_EQ(trending.least_people, 10U);
    EXPECT_EQ(trending.least_score, 0);
    EXPECT_EQ(trending.per_site, 0U);
}

TEST(ViewsSettings, name_the_origin_of_what_cannot_be) {
    for (const auto& [name, text] : std::vector<std::pair<std::string_view, std::string_view>>{
             {"trending_fast", "soon"},
             {"trending_fast", "10s"},
             {"trending_fast", "25h"},
             {"trending_slow", "1000d"},
             {"trending_slow", "30m"},
             {"trending_floor", "-1"},
             {"trending_floor", "nan"},
             {"trending_floor", "3 people"},
             {"trending_people", "2.5"},
             {"trending_score", "inf"},
             {"trending_score", ""},
             {"trending_per_site", "-1"}
         }) {
        const auto options = read({{.name = name, .text = text, .origin = "footfall.toml:4"}});
        ASSERT_FALSE(options) << name << " " << text;
        EXPECT_EQ(options.error().kind, ErrorKind::invalid_input);
        EXPECT_THAT(options.error().message, testing::StartsWith("footfall.toml:4: "));
    }
}

TEST(ViewsSettings, say_what_holds_without_them) {
    const rankings::TrendSettings without;
    std::vector<jobs::GivenValue> given;
    for (const jobs::ValueSetting& each : views_settings.values) {
        given.push_back({.name = each.name, .text = each.without.text, .origin = "defaults"});
    }
    const auto options = read(given);
    ASSERT_TRUE(options);
    const auto& trending = dynamic_cast<const ViewsOptions&>(**options).trending;
    EXPECT_EQ(trending.fast_half_life, without.fast_half_life);
    EXPECT_EQ(trending.slow_half_life, without.slow_half_life);
    EXPECT_EQ(trending.least_fast, without.least_fast);
    EXPECT_EQ(trending.least_people, without.least_people);
    EXPECT_EQ(trending.least_score, without.least_score);
    EXPECT_EQ(trending.per_site, without.per_site);
}

}  // namespace
}  // namespace footfall::views::routes
