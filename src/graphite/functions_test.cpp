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
                 [this](std::string_view pattern, const Asked& asked) {
                     const auto [from, until, consolidation, is_shown] = asked;
                     ++fetched_;
                     consolidation_ = consolidation;
                     is_shown_ = is_shown;
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
             .fetch_tagged =
                 [this](const std::vector<std::string>& conditions, const Asked& asked) {
                     is_shown_ = asked.is_shown;
                     Lines lines;
                     for (const std::string& each : conditions) {
                         lines.push_back({.name = each, .tags = {{"name", each}}, .values = {1}});
                     }
                     return Result<Lines>{std::move(lines)};
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
    std::string consolidation_;  ///< Of what was fetched last.
    bool is_shown_ = false;      ///< The same.
};

TEST_F(Functions, what_is_shown_as_it_is_fetched_is_said_to_be) {
    for (const std::string target :
         {"a.b",
          "alias(a.b,'x')",
          "a.b|sortByName()|limit(1)|aliasByNode(0)|aliasByTags('name')",
          "consolidateBy(alias(a.b,'x'),'max')",
          "alias(consolidateBy(a.b,'sum'),'x')",
          "seriesByTag('a=b')|aliasByTags('a')"}) {
        is_shown_ = false;
        EXPECT_TRUE(answer(target)) << target;
        EXPECT_TRUE(is_shown_) << target;
    }
    for (const std::string target :
         {"scale(a.b,2)",
          "alias(scale(a.b,2),'x')",
          "scale(alias(a.b,'x'),2)",
          "sortBy(a.b)",
          "highestMax(a.b,1)",
          "timeShift(a.b,'1h')",
          "sumSeries(seriesByTag('a=b'))",
          // The one around it says how that is shown, the one within what is fetched.
          "consolidateBy(consolidateBy(a.b,'max'),'average')",
          "consolidateBy(alias(consolidateBy(a.b,'sum'),'x'),'sum')"}) {
        is_shown_ = true;
        EXPECT_TRUE(answer(target)) << target;
        EXPECT_FALSE(is_shown_) << target;
    }
}

TEST_F(Functions, consolidate_by_holds_for_what_is_fetched_within_it) {
    const auto lines = answer("consolidateBy(scale(a.b,2),'max')");
    ASSERT_TRUE(lines);
    EXPECT_EQ(lines->front().name, "consolidateBy(scale(a.b,2),\"max\")");
    EXPECT_EQ(lines->front().consolidation, "max");
    EXPECT_EQ(consolidation_, "max");
    EXPECT_TRUE(answer("a.b|consolidateBy(consolidationFunc='min')|scale(2)"));
    EXPECT_EQ(consolidation_, "min");
    EXPECT_TRUE(answer("sumSeries(consolidateBy(a.b,'sum'),a.b)|consolidateBy('last')"));
    EXPECT_EQ(consolidation_, "last");
    EXPECT_TRUE(answer("sumSeries(consolidateBy(a.b,'sum'),a.b)"));
    EXPECT_EQ(consolidation_, "average");
    EXPECT_TRUE(answer("timeShift(consolidateBy(a.b,'sum'),'1h')"));
    EXPECT_EQ(consolidation_, "sum");
    EXPECT_THAT(refusal("consolidateBy(a.b,'most')"), HasSubstr("most"));
    EXPECT_THAT(refusal("consolidateBy(a.b)"), HasSubstr("consolidationFunc"));
}

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
        {"seriesByTag()", "seriesByTag is to have tagExpressions"},
        {"seriesByTag('a=b',c)", "tagExpressions of seriesByTag is to be a text in quotes"},
    };
    for (const auto& [target, says] : wrong) {
        EXPECT_THAT(refusal(target), HasSubstr(says)) << target;
    }
}

/// Each looks at what it is given twice.
TEST_F(Functions, end_before_they_fetch_for_ever) {
    std::string target = "a";
    for (int depth = 0; depth < 30; ++depth) {
        target.insert(0, "timeShift(").append(",'1min')");
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

TEST_F(Functions, choose_series_by_tags_and_name_what_is_made_of_them_as_it_was_written) {
    const auto lines = answer(R"(seriesByTag( 'a=b',"c=~d"))");
    ASSERT_TRUE(lines);
    ASSERT_EQ(lines->size(), 2);
    EXPECT_EQ(lines->front().name, "a=b");
    EXPECT_EQ(lines->back().name, "c=~d");
    EXPECT_EQ(
        answer(R"(seriesByTag( 'a=b',"c=~d") | sumSeries())")->front().name,
        R"x(sumSeries(seriesByTag( 'a=b',"c=~d")))x"
    );
}

/// What holds where an argument is left out is what they say of it.
TEST_F(Functions, do_without_an_argument_what_they_do_with_its_default) {
    for (const auto& [without, with] : std::vector<std::pair<std::string, std::string>>{
             {"sortBy(a)", "sortBy(a,'average',false)"},
             {"highest(a)", "highest(a,1,'average')"},
             {"summarize(a,'1min')", "summarize(a,'1min','sum',false)"},
             {"movingWindow(a,2)", "movingWindow(a,2,'average')"},
             {"timeShift(a,'1min')", "timeShift(a,'1min',true,false)"},
             {"keepLastValue(a)", "keepLastValue(a,inf)"},
             {"groupByNode(a,1)", "groupByNode(a,1,'average')"},
             {"sortByName(a,None,None)", "sortByName(a,false,false)"},
         }) {
        const auto one = answer(without);
        const auto other = answer(with);
        ASSERT_TRUE(one) << without;
        ASSERT_TRUE(other) << with;
        ASSERT_EQ(one->size(), other->size());
        EXPECT_EQ(one->front().name, other->front().name);
        EXPECT_EQ(one->front().values, other->front().values);
    }
}

TEST_F(Functions, all_say_what_they_are_for) {
    for (const Function& each : functions()) {
        EXPECT_FALSE(each.group.empty()) << each.name;
        EXPECT_TRUE(each.description.ends_with('.')) << each.name;
        EXPECT_EQ(find_function(each.name), &each);
    }
    EXPECT_EQ(find_function("sumSerie"), nullptr);
}

}  // namespace
}  // namespace footfall::graphite
