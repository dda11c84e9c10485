#include "timeseries/retention.h"

#include <gmock/gmock.h>

#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace footfall::timeseries {
namespace {

using namespace std::chrono_literals;
using series::Resolution;
using std::chrono::days;
using testing::ElementsAre;

TEST(SeriesRetention, the_first_rule_above_a_name_holds_whatever_its_tags) {
    std::vector<series::RetentionRule> rules;
    for (const char* const rule : {"web.a -> 1s:6h, 1m:1y", "web.* -> 10s:1d"}) {
        rules.push_back(*series::parse_retention(rule));
    }
    const Retention retention{rules, {{.step = 30s, .kept = days{7}}}};
    const auto step = [&](std::string_view name) { return retention.of(name).front().step; };
    EXPECT_EQ(step("web.a"), 1s);
    EXPECT_EQ(step("web.a.cpu;host=web.b"), 1s);
    EXPECT_EQ(step("web.b.cpu"), 10s);
    EXPECT_EQ(step("web"), 30s);
    EXPECT_EQ(step("x;a=web.a"), 30s);
    EXPECT_EQ(retention.points_shortest(), 6h);
    EXPECT_EQ(retention.points_longest(), days{7});
    EXPECT_EQ(retention.shortest(), days{1});
}

TEST(SeriesRetention, without_rules_there_are_cells_that_are_coarser_and_kept_longer) {
    EXPECT_THAT(
        Retention::standard(10s, days{90}),
        ElementsAre(
            Resolution{.step = 10s, .kept = days{90}},
            Resolution{.step = 5min, .kept = days{180}},
            Resolution{.step = 1h, .kept = days{730}}
        )
    );
    EXPECT_THAT(
        Retention::standard(10min, days{180}),
        ElementsAre(
            Resolution{.step = 10min, .kept = days{180}}, Resolution{.step = 1h, .kept = days{730}}
        )
    );
    EXPECT_THAT(
        Retention::standard(10s, days{3650}),
        ElementsAre(Resolution{.step = 10s, .kept = days{3650}})
    );
}

TEST(SeriesRetention, the_finest_that_has_it_answers) {
    const auto all = *series::parse_resolutions("10s:6h, 60s:7d, 1h:5y");
    EXPECT_EQ(finest_covering(all, 0s), 0);
    EXPECT_EQ(finest_covering(all, 6h), 0);
    EXPECT_EQ(finest_covering(all, 6h + 1s), 1);
    EXPECT_EQ(finest_covering(all, days{8}), 2);
    EXPECT_EQ(finest_covering(all, days{8000}), 2);
}

TEST(SeriesRetention, what_cannot_be_done_is_said) {
    EXPECT_TRUE(check_resolutions(*series::parse_resolutions("7s:3h")));
    EXPECT_TRUE(check_resolutions(*series::parse_resolutions("10s:6h, 60s:7d, 1h:5y")));
    for (const auto& [text, says] : std::vector<std::pair<std::string, std::string>>{
             {"10s:2h, 1h:5y", "within 3 hours"},
             {"10s:11y, 1h:12y", "10 years"},
             {"1s:6h, 7s:7d", "a step of 7 s does not fit"},
             {"1s:6h, 2h:7d", "a step of 7200 s does not fit"}
         }) {
        const auto checked = check_resolutions(*series::parse_resolutions(text));
        ASSERT_FALSE(checked) << text;
        EXPECT_EQ(checked.error().kind, ErrorKind::invalid_input);
        EXPECT_THAT(checked.error().message, testing::HasSubstr(says));
    }
}

}  // namespace
}  // namespace footfall::timeseries
