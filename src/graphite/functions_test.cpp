// What reference_test.cpp does not: refusals and bounds.

#include "graphite/functions.h"

#include "graphite/expression.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace footfall::graphite {
namespace {

using testing::HasSubstr;

class Functions : public testing::Test {
protected:
    Result<Lines> answer(const std::string& target) {
        TRY(const Expression expression, parse_target(target));
        return evaluate(
            expression,
            {.from = 1000,
             .until = 1100,
             .fetch =
                 [this](std::string_view pattern, std::int64_t from, std::int64_t until) {
                     ++fetched_;
                     if (until - from > 100'000) {
                         return Result<Lines>{fail(ErrorKind::invalid_input, "it is too much")};
                     }
                     return Result<Lines>{Lines{
                         {.name = "a.b",
                          .path = std::string{pattern},
                          .tags = {{"name", "a.b"}},
                          .start = from + 10,
                          .end = until + 10,
                          .step = 10,
                          .values = Values(static_cast<std::size_t>((until - from) / 10), 1.0)}
                     }};
                 },
             .left = stop_.get_token()}
        );
    }

    std::string refusal(const std::string& target) {
        const auto lines = answer(target);
        if (lines) {
            return "was answered";
        }
        EXPECT_EQ(lines.error().kind, ErrorKind::invalid_input);
        return lines.error().message;
    }

    std::stop_source stop_;
    std::size_t fetched_ = 0;
};

TEST_F(Functions, refuse_what_does_not_fit) {
    const std::vector<std::pair<std::string, std::string>> wrong{
        {"sumSerie(a)", "no function sumSerie; those named like it are sumSeries"},
        {"scale(a)", "scale is to have factor: a number"},
        {"scale(a,'2')", "factor of scale is to be a number"},
        {"scale(a,2,3)", "scale takes 2 arguments at most"},
        {"scale(a,factor=2,factors=3)", "scale has no argument factors"},
        {"scale(a,2,factor=3)", "scale has factor twice"},
        {"scale(2,a)", "seriesList of scale is to be series"},
        {"sumSeries(a,5)", "seriesLists of sumSeries is to be series"},
        {"limit(a,1.5)", "n of limit is to be a whole number from 0 on"},
        {"limit(a,-1)", "n of limit"},
        {"movingAverage(a,'soon')", "a number of values, or a span such as '5min'"},
        {"timeShift(a,'1h1')", "timeShift of timeShift is to be a span in quotes"},
        {"timeShift(a,'1h',true,true)", "all times here are UTC"},
        {"summarize(a,'0s')", "above 0"},
        {"summarize(a,'1min','most')", "most is none of the aggregations average"},
        {"groupByNode(a,b)", "nodeNum of groupByNode"},
        {"asPercent(a,5,0)", "the total of asPercent is to be None or series"},
        {"movingAverage(a,1000000000)", "too much"},
    };
    for (const auto& [target, says] : wrong) {
        EXPECT_THAT(refusal(target), HasSubstr(says)) << target;
    }
}

/// Each looks at what it is given twice.
TEST_F(Functions, end_before_they_fetch_for_ever) {
    std::string target = "a";
    for (int depth = 0; depth < 30; ++depth) {
        target = "timeShift(" + target + ",'1min')";
    }
    EXPECT_THAT(refusal(target), HasSubstr("more than 1,000 steps"));
    EXPECT_LE(fetched_, 1000U);
}

TEST_F(Functions, end_when_nobody_waits) {
    stop_.request_stop();
    const auto lines = answer("scale(a,2)");
    ASSERT_FALSE(lines);
    EXPECT_EQ(lines.error().kind, ErrorKind::cancelled);
}

TEST_F(Functions, stand_in_the_order_of_their_names) {
    EXPECT_TRUE(std::ranges::is_sorted(functions(), {}, &Function::name));
    EXPECT_EQ(answer("alias(a,'x')")->front().name, "x");
}

}  // namespace
}  // namespace footfall::graphite
