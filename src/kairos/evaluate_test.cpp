#include "kairos/evaluate.h"

#include "kairos/test_points.h"

#include <boost/json/parse.hpp>
#include <gmock/gmock.h>

#include <string>
#include <utility>
#include <vector>

namespace footfall::kairos {
namespace {

using testing::HasSubstr;

/// What two servers told, one of them twice.
std::vector<Read> servers() {
    return {
        {.tags = {{"host", "a"}, {"dc", "x"}}, .points = points({{1000, 1}, {3000, 3}})},
        {.tags = {{"host", "b"}}, .points = points({{1000, 10}, {2000, 20}})},
        {.tags = {{"host", "a"}, {"dc", "y"}}, .points = points({{2000, 5}})}
    };
}

/// What the answer to a query of this metric is, of what was read.
Result<std::string> answer(
    std::string_view metric, std::vector<Read> series, const std::stop_token& left = {}
) {
    const auto query = parse_query(
        R"({"start_absolute":0,"end_absolute":9000,"metrics":[)" + std::string{metric} + "]}", 0
    );
    EXPECT_TRUE(query) << (query ? "" : query.error().message);
    TRY(const Answer made,
        evaluate(query->metrics.at(0), query->from, query->zone, std::move(series), left));
    std::string json;
    append_json(query->metrics[0], made, json);
    return json;
}

std::string told(std::string_view metric, std::vector<Read> series = servers()) {
    const auto json = answer(metric, std::move(series));
    EXPECT_TRUE(json) << (json ? "" : json.error().message);
    boost::json::error_code error;
    boost::json::parse(json.value_or(""), error);
    EXPECT_FALSE(error) << json.value_or("");
    return json.value_or("");
}

const std::string type = R"({"name":"type","type":"number"})";

TEST(Evaluate, without_groups_all_series_are_one) {
    EXPECT_EQ(
        told(R"({"name":"load"})"),
        R"({"sample_size":5,"results":[{"name":"load","group_by":[)" + type +
            R"(],"tags":{"dc":["x","y"],"host":["a","b"]},)"
            R"("values":[[1000,1],[1000,10],[2000,20],[2000,5],[3000,3]]}]})"
    );
    EXPECT_EQ(
        told(R"({"name":"load","exclude_tags":true,"aggregators":[{"name":"sum","sampling":
             {"value":2,"unit":"seconds"}},{"name":"scale","factor":0.5}]})"),
        R"({"sample_size":5,"results":[{"name":"load","group_by":[)" + type +
            R"(],"values":[[1000,5.5],[2000,14]]}]})"
    );
    EXPECT_EQ(
        told(R"({"name":"load"})", {}),
        R"({"sample_size":0,"results":[{"name":"load","tags":{},"values":[]}]})"
    );
}

TEST(Evaluate, groups_by_tag) {
    EXPECT_EQ(
        told(R"({"name":"load","group_by":[{"name":"tag","tags":["dc","host"]}]})"),
        R"({"sample_size":5,"results":[)"
        R"({"name":"load","group_by":[)" +
            type + R"(,{"name":"tag","tags":["dc","host"],"group":{"dc":"","host":"b"}}],)" +
            R"("tags":{"host":["b"]},"values":[[1000,10],[2000,20]]},)"
            R"({"name":"load","group_by":[)" +
            type + R"(,{"name":"tag","tags":["dc","host"],"group":{"dc":"x","host":"a"}}],)" +
            R"("tags":{"dc":["x"],"host":["a"]},"values":[[1000,1],[3000,3]]},)"
            R"({"name":"load","group_by":[)" +
            type + R"(,{"name":"tag","tags":["dc","host"],"group":{"dc":"y","host":"a"}}],)" +
            R"("tags":{"dc":["y"],"host":["a"]},"values":[[2000,5]]}]})"
    );
}

TEST(Evaluate, groups_by_time_value_and_bin) {
    const std::string by_time = told(
        R"({"name":"load","group_by":[{"name":"time","group_count":2,"range_size":
        {"value":1,"unit":"seconds"}}]})"
    );
    EXPECT_THAT(
        by_time,
        HasSubstr(R"({"name":"time","range_size":{"value":1,"unit":"seconds"},"group_count":2,)"
                  R"("group":{"group_number":0}}],)"
                  R"("tags":{"dc":["y"],"host":["a","b"]},"values":[[2000,20],[2000,5]]})")
    );
    EXPECT_THAT(by_time, HasSubstr(R"("values":[[1000,1],[1000,10],[3000,3]])"));
    const std::string by_value = told(
        R"({"name":"load","group_by":[{"name":"value","range_size":10}]})",
        {{.tags = {{"a", "b"}},
          .points = points({{1, -5}, {2, 9.9}, {3, 10}, {4, 1e11}, {5, 1e300}})}}
    );
    EXPECT_THAT(
        by_value,
        HasSubstr(R"({"name":"value","range_size":10,"group":{"group_number":0}}],)"
                  R"("tags":{"a":["b"]},"values":[[1,-5],[2,9.9]]})")
    );
    EXPECT_THAT(by_value, HasSubstr(R"("group":{"group_number":1}})"));
    EXPECT_THAT(by_value, HasSubstr(R"("group":{"group_number":10000000000}})"));
    const std::string by_bin =
        told(R"({"name":"load","group_by":[{"name":"bin","bins":[2,4.5,20]}]})");
    EXPECT_THAT(
        by_bin,
        HasSubstr(R"({"name":"bin","bins":[2,4.5,20],"group":{"bin_number":0}}],)"
                  R"("tags":{"dc":["x"],"host":["a"]},"values":[[1000,1]]})")
    );
    EXPECT_THAT(
        by_bin,
        HasSubstr(R"("group":{"bin_number":3}}],"tags":{"host":["b"]},"values":[[2000,20]])")
    );
    EXPECT_THAT(
        told(R"({"name":"load","group_by":[{"name":"tag","tags":["host"]},
             {"name":"value","range_size":10}]})"),
        HasSubstr(R"(,{"name":"tag","tags":["host"],"group":{"host":"b"}},)"
                  R"({"name":"value","range_size":10,"group":{"group_number":2}}])")
    );
}

TEST(Evaluate, a_limit_is_before_aggregators_and_of_the_newest_where_the_order_descends) {
    const std::string count =
        R"("aggregators":[{"name":"count","sampling":{"value":1,"unit":"days"}}])";
    EXPECT_THAT(told(R"({"name":"a","limit":2})"), HasSubstr(R"("values":[[1000,1],[1000,10]])"));
    EXPECT_THAT(told(R"({"name":"a","limit":2,"order":"desc"})"), HasSubstr(R"("sample_size":2,)"));
    EXPECT_THAT(
        told(R"({"name":"a","limit":2,"order":"desc"})"),
        HasSubstr(R"("values":[[3000,3],[2000,5]])")
    );
    EXPECT_THAT(
        told(R"({"name":"a","limit":3,)" + count + "}"), HasSubstr(R"("values":[[1000,3]])")
    );
}

TEST(Evaluate, what_json_has_no_number_for_is_null) {
    const double inf = std::numeric_limits<double>::infinity();
    EXPECT_THAT(
        told(R"({"name":"a"})", {{.tags = {}, .points = points({{1, inf}, {2, -0.5}})}}),
        HasSubstr(R"("values":[[1,null],[2,-0.5]])")
    );
}

TEST(Evaluate, takes_the_tags_that_are_asked_for) {
    const MetricQuery metric{.name = "load", .tags = {{"host", {"a", "b"}}, {"dc", {"x"}}}};
    EXPECT_TRUE(fits(metric, {{"host", "b"}, {"dc", "x"}, {"os", "l"}}));
    EXPECT_FALSE(fits(metric, {{"host", "c"}, {"dc", "x"}}));
    EXPECT_FALSE(fits(metric, {{"host", "a"}}));
    EXPECT_TRUE(fits({.name = "load", .tags = {{"host", {}}}}, {}));
}

TEST(Evaluate, ends_when_nobody_waits_and_where_groups_are_too_many) {
    std::stop_source stop;
    stop.request_stop();
    const auto cancelled = answer(R"({"name":"a"})", servers(), stop.get_token());
    ASSERT_FALSE(cancelled);
    EXPECT_EQ(cancelled.error().kind, ErrorKind::cancelled);
    Read many;
    for (Time at = 0; at <= static_cast<Time>(groups_max); ++at) {
        many.points.push_back({.time = at, .value = static_cast<double>(at)});
    }
    const auto refused =
        answer(R"({"name":"a","group_by":[{"name":"value","range_size":1}]})", {std::move(many)});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().kind, ErrorKind::invalid_input);
}

TEST(Evaluate, tells_tags) {
    TagValues tags;
    add_tags({{"host", "a"}}, tags);
    add_tags({{"host", "b"}, {"dc", "\"x\""}}, tags);
    std::string json;
    append_tags_json({.name = "load"}, tags, json);
    EXPECT_EQ(json, R"({"results":[{"name":"load","tags":{"dc":["\"x\""],"host":["a","b"]}}]})");
}

}  // namespace
}  // namespace footfall::kairos
