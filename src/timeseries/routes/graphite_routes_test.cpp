// What /render, /metrics/.. and /functions answer. That they answer over HTTP, and as they are
// described, is tested in tests/acceptance and tests/openapi.

#include "timeseries_routes/find_routes.h"
#include "timeseries_routes/function_routes.h"
#include "timeseries_routes/render_routes.h"
#include "timeseries_routes/test_metrics.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace footfall::timeseries::routes {
namespace {

using http_server::Response;
using testing::HasSubstr;
using testing::StartsWith;

class GraphiteRoutes : public testing::Test {
protected:
    GraphiteRoutes() {
        add_render_routes(metrics_.door, metrics_.sources());
        add_find_routes(metrics_.door, metrics_.sources());
        add_function_routes(metrics_.door, metrics_.sources());
    }

    static void expect_refusal(const Response& response, std::string_view field) {
        EXPECT_EQ(response.status, 400) << response.body;
        EXPECT_THAT(response.body, HasSubstr(fmt::format(R"("field":"{}")", field)));
    }

    TestMetrics metrics_;
};

constexpr std::string_view last_twenty_seconds = "from=1796039970&until=1796039999";

TEST_F(GraphiteRoutes, render_answers_a_form_as_a_query) {
    metrics_.write({"a.x", "a.y"}, 1.5, 10);
    const std::string query = fmt::format("target=a.x&{}", last_twenty_seconds);
    const Response got = metrics_.get("/render", query);
    EXPECT_EQ(got.status, 200) << got.body;
    EXPECT_THAT(got.body, HasSubstr("[[null,1796039980],[1.5,1796039990]]"));
    EXPECT_EQ(metrics_.post("/render", query).body, got.body);
    EXPECT_EQ(metrics_.post("/render", "target=a.x", last_twenty_seconds).body, got.body);
    EXPECT_EQ(metrics_.post("/render", "", query).body, got.body);
    EXPECT_EQ(metrics_.post("/render", "target=+a.x+\r\n", last_twenty_seconds).body, got.body);
    EXPECT_EQ(
        metrics_.post("/render", query, {}, "Application/X-WWW-Form-Urlencoded ; charset=utf-8")
            .body,
        got.body
    );
    // What stands in the form holds, and targets of both are drawn.
    const Response both = metrics_.post("/render", "target=a.y&format=raw", query + "&format=csv");
    EXPECT_THAT(both.body, StartsWith("a.y,1796039980,1796040000,10|None,1.5\na.x,"));
}

TEST_F(GraphiteRoutes, render_writes_csv_and_raw) {
    metrics_.write({"a"}, 1, 10);
    const std::string query =
        fmt::format("target=scale(a,2)&{}&maxDataPoints=1", last_twenty_seconds);
    const Response csv = metrics_.get("/render", query + "&format=csv");
    EXPECT_EQ(csv.content_type, "text/csv; charset=utf-8");
    EXPECT_EQ(
        csv.body,
        "\"scale(a,2)\",2026-11-30 11:59:40,\r\n\"scale(a,2)\",2026-11-30 11:59:50,2.0\r\n"
    );
    const Response raw = metrics_.get("/render", query + "&format=raw");
    EXPECT_EQ(raw.content_type, Response::text_plain);
    EXPECT_EQ(raw.body, "scale(a,2),1796039980,1796040000,10|None,2.0\n");
    EXPECT_EQ(metrics_.get("/render", "target=b&format=csv").body, "");
    EXPECT_EQ(metrics_.get("/render", "target=b").body, "[]\n");
}

TEST_F(GraphiteRoutes, render_has_no_number_that_json_has_not) {
    metrics_.write({"a"}, 1e308, 10);
    const std::string query = fmt::format(
        "target=scale(a,10)&target=diffSeries(scale(a,10),scale(a,10))&{}", last_twenty_seconds
    );
    EXPECT_THAT(
        metrics_.get("/render", query).body,
        testing::AllOf(HasSubstr("[1e9999,1796039990]"), HasSubstr("[null,1796039990]"))
    );
}

TEST_F(GraphiteRoutes, render_does_not_answer_more_than_it_may) {
    metrics_.write({"a"}, 1, 10);
    const std::string long_name(2000, 'n');
    const Response refused =
        metrics_.get("/render", fmt::format("target=alias(a,'{}')&from=-7d&format=csv", long_name));
    expect_refusal(refused, "target");
    EXPECT_THAT(refused.body, HasSubstr("64 MiB"));
    EXPECT_EQ(
        metrics_.get("/render", fmt::format("target=alias(a,'{}')&from=-7d", long_name)).status, 200
    );
}

TEST_F(GraphiteRoutes, a_form_that_is_none_is_refused) {
    expect_refusal(metrics_.post("/render", "target=%f"), "target");
    expect_refusal(metrics_.post("/render", "target=a&from=%ff"), "from");
    expect_refusal(metrics_.post("/render", "target=a&width=5"), "width");
    expect_refusal(metrics_.post("/render", "target=a&format=png"), "format");
    EXPECT_THAT(
        metrics_.post("/render", "target=a&format=png").body, HasSubstr("one of json, csv, raw")
    );
    expect_refusal(metrics_.post("/render", "from=-1h"), "target");
    expect_refusal(metrics_.post("/render", "{\"target\":\"a\"}"), "{\\\"target\\\":\\\"a\\\"}");
    EXPECT_EQ(metrics_.post("/render", "{}", {}, "application/json").status, 415);
    EXPECT_EQ(metrics_.post("/render", std::string((256 << 10) + 1, 'a')).status, 413);
    EXPECT_EQ(metrics_.post("/metrics/find", std::string((256 << 10) + 1, 'a')).status, 413);
    EXPECT_EQ(metrics_.post("/metrics/find", "query=*", {}, "text/plain").status, 415);
    expect_refusal(metrics_.post("/metrics/find", "query="), "query");
}

TEST_F(GraphiteRoutes, find_completes_what_was_typed) {
    metrics_.write({"web.a.cpu", "web.b.cpu", "web.b", "with.cpu"}, 1);
    const auto completed = [&](const std::string& query) {
        const Response got = metrics_.get("/metrics/find", "format=completer&query=" + query);
        EXPECT_EQ(got.status, 200) << got.body;
        EXPECT_EQ(metrics_.post("/metrics/find", "format=completer&query=" + query).body, got.body);
        return got.body;
    };
    EXPECT_EQ(
        completed("w"),
        R"({"metrics":[{"path":"web.","name":"web","is_leaf":"0"},)"
        R"({"path":"with.","name":"with","is_leaf":"0"}]})"
        "\n"
    );
    EXPECT_EQ(
        completed("web.b"),
        R"({"metrics":[{"path":"web.b.","name":"b","is_leaf":"0"},)"
        R"({"path":"web.b","name":"b","is_leaf":"1"}]})"
        "\n"
    );
    EXPECT_EQ(
        completed("w..a*"),
        R"({"metrics":[{"path":"web.a.","name":"a","is_leaf":"0"}]})"
        "\n"
    );
    EXPECT_EQ(completed("x"), "{\"metrics\":[]}\n");
    EXPECT_THAT(
        metrics_.get("/metrics/find", "query=web.*").body, HasSubstr(R"("id":"web.b","leaf":1)")
    );
    expect_refusal(metrics_.get("/metrics/find", "query=*&format=nodelist"), "format");
    expect_refusal(metrics_.get("/metrics/find", "format=completer&query=a.{b"), "query");
    expect_refusal(metrics_.get("/metrics/find", "format=completer&query=..."), "query");
}

TEST_F(GraphiteRoutes, expand_answers_names_of_all_patterns) {
    metrics_.write({"a.b", "a.b.c", "a.d", "e"}, 1);
    const auto expanded = [&](const std::string& query) {
        const Response got = metrics_.get("/metrics/expand", query);
        EXPECT_EQ(got.status, 200) << got.body;
        return got.body;
    };
    EXPECT_EQ(expanded("query=a.*&query=*"), "{\"results\":[\"a\",\"a.b\",\"a.d\",\"e\"]}\n");
    EXPECT_EQ(
        expanded("query=a.*&query=*&leavesOnly=1"), "{\"results\":[\"a.b\",\"a.d\",\"e\"]}\n"
    );
    EXPECT_EQ(
        expanded("query=*&query=a.*&query=a.*&query=x&groupByExpr=1&leavesOnly=0"),
        "{\"results\":{\"*\":[\"a\",\"e\"],\"a.*\":[\"a.b\",\"a.d\"],\"x\":[]}}\n"
    );
    expect_refusal(metrics_.get("/metrics/expand"), "query");
    expect_refusal(metrics_.get("/metrics/expand", "query=a..b"), "query");
    expect_refusal(metrics_.get("/metrics/expand", "query=%ff"), "query");
    expect_refusal(metrics_.get("/metrics/expand", "query=a&groupByExpr=2"), "groupByExpr");
    expect_refusal(metrics_.get("/metrics/expand", "query=a&leavesOnly=yes"), "leavesOnly");
    expect_refusal(metrics_.get("/metrics/expand", "query=a&local=1"), "local");
    std::string many;
    for (int query = 0; query <= 100; ++query) {
        many += "&query=a";
    }
    expect_refusal(metrics_.get("/metrics/expand", many), "query");
}

TEST_F(GraphiteRoutes, patterns_and_the_index_answer_so_many_names_and_no_more) {
    EXPECT_EQ(metrics_.get("/metrics/index.json").body, "[]\n");
    metrics_.write({"b", "a.c;dc=x", "a.b"}, 1);
    EXPECT_EQ(metrics_.get("/metrics/index.json").body, "[\"a.b\",\"a.c;dc=x\",\"b\"]\n");
    expect_refusal(metrics_.get("/metrics/index.json", "limit=1"), "limit");
    std::vector<std::string> names;
    for (int name = 0; name < 6000; ++name) {
        names.push_back(fmt::format("x.n{}", name));
        names.push_back(fmt::format("y.n{}", name));
    }
    metrics_.write(names, 1);
    EXPECT_EQ(metrics_.get("/metrics/expand", "query=x.*").status, 200);
    expect_refusal(metrics_.get("/metrics/expand", "query=x.*&query=y.*"), "query");
    expect_refusal(metrics_.get("/metrics/find", "query=*.*"), "query");
    EXPECT_EQ(metrics_.get("/metrics/index.json").status, 200);
    names.clear();
    for (int name = 0; name < 90'000; ++name) {
        names.push_back(fmt::format("z.n{}", name));
    }
    metrics_.write(names, 1);
    const Response refused = metrics_.get("/metrics/index.json");
    EXPECT_EQ(refused.status, 400);
    EXPECT_THAT(refused.body, HasSubstr("there are 102003 series"));
}

TEST_F(GraphiteRoutes, functions_are_described_as_graphite_does) {
    EXPECT_EQ(
        metrics_.get("/functions/highest").body,
        R"x({"name":"highest","function":"highest(seriesList, n=1, func='average')",)x"
        R"x("description":"The n series of which the aggregation of all values is the highest.",)x"
        R"x("group":"Filter Series","params":[{"name":"seriesList","type":"seriesList","required":true},)x"
        R"x({"name":"n","type":"integer","default":1},{"name":"func","type":"aggFunc","default":"average",)x"
        R"x("options":["average","avg","avg_zero","count","current","diff","last","max","median","min",)x"
        R"x("multiply","range","rangeOf","stddev","sum","total"]}]})x"
        "\n"
    );
    for (const auto& [function, says] : std::vector<std::pair<std::string, std::string>>{
             {"sumSeries", R"x("function":"sumSeries(*seriesLists)")x"},
             {"asPercent", R"x("function":"asPercent(seriesList, total=None, *nodes)")x"},
             {"sortBy", R"x("function":"sortBy(seriesList, func='average', reverse=False)")x"},
             {"timeShift", R"x({"name":"resetEnd","type":"boolean","default":true})x"},
             {"keepLastValue", R"x({"name":"limit","type":"intOrInf","default":1e9999})x"},
             {"seriesByTag", R"x("type":"string","required":true,"multiple":true)x"}
         }) {
        EXPECT_THAT(metrics_.get("/functions/" + function).body, HasSubstr(says));
    }

    const std::string all = metrics_.get("/functions").body;
    EXPECT_THAT(all, StartsWith(R"x({"aggregate":{"name":"aggregate",)x"));
    EXPECT_THAT(all, HasSubstr(R"x("transformNull":{)x"));
    EXPECT_THAT(
        metrics_.get("/functions", "grouped=1&group=Sorting").body,
        StartsWith(R"x({"Sorting":{"sortBy":{"name":"sortBy",)x")
    );
    EXPECT_EQ(metrics_.get("/functions", "group=None").body, "{}\n");
    expect_refusal(metrics_.get("/functions", "grouped=maybe"), "grouped");
    expect_refusal(metrics_.get("/functions", "type=pie"), "type");

    const Response unknown = metrics_.get("/functions/sumSerie");
    EXPECT_EQ(unknown.status, 404);
    EXPECT_THAT(unknown.body, HasSubstr("no function sumSerie; those named like it are sumSeries"));
    expect_refusal(metrics_.get("/functions/"), "function");
    expect_refusal(metrics_.get("/functions/%ff"), "function");
    EXPECT_EQ(metrics_.get("/version").body, "1.1.10\n");
}

}  // namespace
}  // namespace footfall::timeseries::routes
