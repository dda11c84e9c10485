#include "kairos/query.h"

#include <gmock/gmock.h>

#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace footfall::kairos {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr Time now = 1'796'040'000'000;

/// The examples of KairosDB's documentation in one; some of its numbers are in quotes.
TEST(ParseQuery, reads_what_is_documented) {
    const auto query = parse_query(
        R"({"start_absolute":1357023600000,"end_relative":{"value":"5","unit":"days"},
            "time_zone":"Asia/Kabul","cache_time":0,"metrics":[
            {"name":"abc.123","tags":{"host":["foo","foo2"],"customer":"bar"},"limit":10000,
             "order":"DESC","exclude_tags":true,"aggregators":[
               {"name":"avg","align_sampling":true,"align_end_time":true,
                "sampling":{"value":10,"unit":"MINUTES"}},
               {"name":"percentile","percentile":"0.75"},{"name":"rate","unit":"seconds"},
               {"name":"filter","filter_op":"lte","threshold":1.5},{"name":"trim","trim":"last"},
               {"name":"div","divisor":2}],
             "group_by":[{"name":"tag","tags":["host"]},
               {"name":"time","group_count":"168","range_size":{"value":1,"unit":"hours"}},
               {"name":"value","range_size":1000},{"name":"bin","bins":[2,4.5]}]},
            {"name":"x","aggregators":null,"group_by":[],"tags":{}}]})",
        now
    );
    ASSERT_TRUE(query) << query.error().message;
    EXPECT_EQ(query->from, 1'357'023'600'000);
    EXPECT_EQ(query->until, now - 5 * 86'400'000 + 1) << "the end is asked for, too";
    EXPECT_EQ(query->zone.name(), "Asia/Kabul");
    ASSERT_EQ(query->metrics.size(), 2);
    const MetricQuery& metric = query->metrics[0];
    EXPECT_EQ(metric.name, "abc.123");
    EXPECT_THAT(metric.tags.at("host"), ElementsAre("foo", "foo2"));
    EXPECT_THAT(metric.tags.at("customer"), ElementsAre("bar"));
    EXPECT_EQ(metric.limit, 10'000);
    EXPECT_TRUE(metric.descending);
    EXPECT_TRUE(metric.exclude_tags);
    ASSERT_EQ(metric.aggregators.size(), 6);
    EXPECT_EQ(metric.aggregators[0].doing, Doing::avg);
    EXPECT_TRUE(metric.aggregators[0].ranges.aligned);
    EXPECT_TRUE(metric.aggregators[0].ranges.at_end);
    EXPECT_FALSE(metric.aggregators[0].ranges.at_start);
    EXPECT_EQ(metric.aggregators[0].ranges.sampling.value, 10);
    EXPECT_EQ(metric.aggregators[0].ranges.sampling.unit, Unit::minutes);
    EXPECT_EQ(metric.aggregators[1].number, 0.75);
    EXPECT_EQ(metric.aggregators[2].doing, Doing::rate);
    EXPECT_EQ(metric.aggregators[2].ranges.sampling.unit, Unit::seconds);
    EXPECT_EQ(metric.aggregators[3].comparison, Comparison::lte);
    EXPECT_EQ(metric.aggregators[3].number, 1.5);
    EXPECT_EQ(metric.aggregators[4].trimmed, Trimmed::last);
    EXPECT_EQ(metric.aggregators[5].number, 2);
    ASSERT_EQ(metric.group_by.size(), 4);
    EXPECT_THAT(std::get<ByTag>(metric.group_by[0]).tags, ElementsAre("host"));
    EXPECT_EQ(std::get<ByTime>(metric.group_by[1]).group_count, 168);
    EXPECT_EQ(std::get<ByTime>(metric.group_by[1]).range_size.unit, Unit::hours);
    EXPECT_EQ(std::get<ByValue>(metric.group_by[2]).range_size, 1000);
    EXPECT_THAT(std::get<ByBin>(metric.group_by[3]).bins, ElementsAre(2, 4.5));
}

TEST(ParseQuery, every_aggregator_has_a_name) {
    for (const std::string name :
         {"avg",
          "count",
          "dev",
          "diff",
          "first",
          "gaps",
          "last",
          "least_squares",
          "max",
          "min",
          "rate",
          "sampler",
          "sum",
          "trim"}) {
        const auto query = parse_query(
            R"({"start_relative":{"value":1,"unit":"months"},"metrics":[{"name":"a",)"
            R"("aggregators":[{"name":")" +
                name + R"("}]}]})",
            now
        );
        EXPECT_TRUE(query) << (query ? "" : query.error().message);
    }
}

const std::string from = R"({"start_absolute":1000,)";

std::string metric_with(const std::string& more) {
    return from + R"("metrics":[{"name":"a",)" + more + "}]}";
}

std::string aggregator_with(const std::string& more) {
    return metric_with(R"("aggregators":[{"name":"sum"},{)" + more + "}]");
}

std::string group_with(const std::string& more) {
    return metric_with(R"("group_by":[{)" + more + "}]");
}

/// Queries, and what is said of what is wrong with each.
using Refusals = std::vector<std::pair<std::string, std::string>>;

void expect_refusals(const Refusals& refusals) {
    for (const auto& [json, said] : refusals) {
        const auto query = parse_query(json, now);
        ASSERT_FALSE(query) << json;
        EXPECT_EQ(query.error().kind, ErrorKind::invalid_input);
        EXPECT_THAT(query.error().message, HasSubstr(said)) << json;
    }
}

TEST(ParseQuery, says_what_is_wrong_and_where) {
    expect_refusals(
        {{"", "query: is no JSON"},
         {"{", "query: is no JSON"},
         {"[]", "query: is a JSON object"},
         {std::string(100, '['), "query: is no JSON"},
         {R"({"metrics":[{"name":"a"}]})", "query: start_absolute or start_relative"},
         {from + R"("start_relative":{"value":1,"unit":"days"},"metrics":[]})",
          "query.start_relative: excludes"},
         {from + R"("end_absolute":999,"metrics":[{"name":"a"}]})", "query: ends before it starts"},
         {R"({"start_absolute":-1,"metrics":[{"name":"a"}]})", "query.start_absolute: is a whole"},
         {R"({"start_absolute":1e30,"metrics":[{"name":"a"}]})", "query.start_absolute: is a whole"
         },
         {R"({"start_relative":{"value":1},"metrics":[{"name":"a"}]})",
          "query.start_relative.unit: "},
         {R"({"start_relative":{"value":1,"unit":"fortnights"},"metrics":[{"name":"a"}]})",
          "query.start_relative.unit: is one of milliseconds"},
         {R"({"start_relative":{"value":1000,"unit":"years"},"metrics":[{"name":"a"}]})",
          "query.start_relative: is at most 100 years"},
         {from + R"("time_zone":"Nowhere","metrics":[{"name":"a"}]})",
          "query.time_zone: there is no time zone"},
         {from + R"("cache_time":"soon","metrics":[{"name":"a"}]})", "query.cache_time: "},
         {from + R"("metrics":[]})", "query.metrics: is an array of metrics, one at least"},
         {from + R"("metrics":{}})", "query.metrics: is an array"},
         {from + R"("metrics":[7]})", "query.metric[0]: is a JSON object"},
         {from + R"("metric":[]})", "query: there is no field \"metric\"; there are start_absolute"
         },
         {from + R"("metrics":[{"name":""}]})", "query.metric[0].name: is a text"},
         {metric_with(R"("tag":{})"), "query.metric[0]: there is no field \"tag\""},
         {metric_with(R"("tags":[])"), "query.metric[0].tags: is a JSON object"},
         {metric_with(R"("tags":{"a":[1]})"), "query.metric[0].tags: has a text"},
         {metric_with(R"("limit":-1)"), "query.metric[0].limit: is a whole number"},
         {metric_with(R"("order":"up")"), "query.metric[0].order: is one of asc, desc"},
         {metric_with(R"("exclude_tags":1)"), "query.metric[0].exclude_tags: is true or false"}}
    );
}

TEST(ParseQuery, says_what_is_wrong_with_aggregators_and_groups) {
    const std::string second = "query.metric[0].aggregators[1]";
    expect_refusals(
        {{aggregator_with(R"("name":"averge")"),
          second + ": there is no aggregator \"averge\"; there are avg, count"},
         {aggregator_with(R"("name":"counts")"),
          second + ": there is no aggregator \"counts\", but count; there are avg"},
         {aggregator_with(R"("nme":"sum")"), second + ": is a JSON object with a name"},
         {aggregator_with(R"("name":"save_as","metric_name":"b")"),
          second + ": save_as is not done: a question writes nothing"},
         {aggregator_with(R"("name":"sum","sampling":7)"), second + ".sampling: is a JSON object"},
         {aggregator_with(R"("name":"sum","sampling":{"value":0,"unit":"days"})"),
          second + ".sampling.value: is a whole number from 1"},
         {aggregator_with(R"("name":"sum","sampling":{"value":1.5,"unit":"days"})"),
          second + ".sampling.value: "},
         {aggregator_with(R"("name":"sum","align_sampling":"yes")"),
          second + ".align_sampling: is true or false"},
         {aggregator_with(R"("name":"sum","align_start_time":true,"align_end_time":true)"),
          second + ".align_end_time: excludes"},
         {aggregator_with(R"("name":"sum","percentile":0.5)"),
          second + ": there is no field \"percentile\""},
         {aggregator_with(R"("name":"percentile")"), second + ".percentile: is a number"},
         {aggregator_with(R"("name":"percentile","percentile":75)"),
          second + ".percentile: is above 0, and at most 1"},
         {aggregator_with(R"("name":"div","divisor":0)"), second + ".divisor: is not 0"},
         {aggregator_with(R"("name":"scale")"), second + ".factor: is a number"},
         {aggregator_with(R"("name":"filter","filter_op":"like","threshold":1)"),
          second + ".filter_op: is one of equal"},
         {aggregator_with(R"("name":"trim","trim":"all")"), second + ".trim: is one of both"},
         {aggregator_with(R"("name":"rate","unit":"blinks")"), second + ".unit: is one of"},
         {group_with(R"("name":"tags","tags":["a"])"),
          "query.metric[0].group_by[0]: there is no group_by \"tags\", but tag; there are"},
         {group_with(R"("name":"tag","tags":[])"), "query.metric[0].group_by[0].tags: "},
         {group_with(R"("name":"tag","tags":[1])"),
          "query.metric[0].group_by[0].tags: is an array of texts"},
         {group_with(R"("name":"time","group_count":2)"),
          "query.metric[0].group_by[0].range_size: is {"},
         {group_with(R"("name":"value","range_size":0)"), "query.metric[0].group_by[0].range_size: "
         },
         {group_with(R"("name":"bin","bins":[3,1])"), "query.metric[0].group_by[0].bins: "}}
    );
}

}  // namespace
}  // namespace footfall::kairos
