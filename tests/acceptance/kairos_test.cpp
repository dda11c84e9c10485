// Metrics as clients of KairosDB send them and ask for them.
#include "test_support/eventually.h"
#include "test_support/own_port.h"
#include "test_support/raw_connection.h"
#include "test_support/run_command.h"
#include "test_support/running_server.h"

#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace footfall {
namespace {

using http_server::ClientResponse;
using http_server::Method;
using testing::HasSubstr;
using namespace test_support;

const std::string points_path = "/api/v1/datapoints";
const std::string query_path = "/api/v1/datapoints/query";

class Kairos : public testing::Test {
protected:
    static std::int64_t now() {
        return std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now())
            .time_since_epoch()
            .count();
    }

    ClientResponse post(
        const std::string& target,
        const std::string& body,
        const std::vector<std::pair<std::string, std::string>>& headers = {}
    ) {
        http_server::Client client = server_.client();
        return must(client.send(Method::post, target, body, headers));
    }

    void send(const std::string& points) {
        const ClientResponse answer = post(points_path, points);
        EXPECT_EQ(answer.status, 204) << answer.body;
        EXPECT_EQ(answer.body, "");
    }

    std::string ask(const std::string& metrics) {
        const auto answer = post(
            query_path,
            fmt::format(
                R"({{"start_absolute":{},"end_absolute":{},"metrics":[{}]}})",
                minute_,
                minute_ + 59'999,
                metrics
            )
        );
        EXPECT_EQ(answer.status, 200) << answer.body;
        EXPECT_EQ(answer.content_type, "application/json");
        return answer.body;
    }

    std::string get(const std::string& target) {
        const auto answer = api_.send(Method::get, target);
        EXPECT_EQ(answer.status, 200) << answer.body;
        return answer.body;
    }

    /// 400, and what is said of it, in the form of KairosDB.
    static std::string refused(const ClientResponse& answer) {
        EXPECT_EQ(answer.status, 400) << answer.body;
        EXPECT_EQ(answer.content_type, "application/json") << answer.body;
        const auto errors = boost::json::parse(answer.body).at("errors").as_array();
        EXPECT_EQ(errors.size(), 1) << answer.body;
        return std::string{errors.at(0).as_string()};
    }

    /// Of the points sent here; a minute that is over.
    const std::int64_t minute_ = now() / 60'000 * 60'000 - 120'000;
    const std::uint16_t carbon_ = own_port();
    TemporaryDirectory directory_;
    FootfallProcess server_{
        directory_ / "data",
        {"--carbon", fmt::format("127.0.0.1:{}", carbon_), "--metrics-series", "5"}
    };
    Api api_{server_};
};

TEST_F(Kairos, points_come_in_and_go_out_in_groups) {
    send(fmt::format(
        R"([{{"name":"load","tags":{{"host":"a","dc":"x"}},"datapoints":[[{0},1],[{1},2.5]]}},)"
        R"({{"name":"load","tags":{{"host":"b","dc":"x"}},"timestamp":{1},"value":4,"ttl":60}},)"
        R"({{"name":"disk","tags":{{"host":"a"}},"timestamp":{1},"value":7,"type":"long"}}])",
        minute_,
        minute_ + 1000
    ));
    EXPECT_EQ(
        ask(R"({"name":"load"})"),
        fmt::format(
            R"({{"queries":[{{"sample_size":3,"results":[{{"name":"load",)"
            R"("group_by":[{{"name":"type","type":"number"}}],)"
            R"("tags":{{"dc":["x"],"host":["a","b"]}},)"
            R"("values":[[{0},1],[{1},2.5],[{1},4]]}}]}}]}})"
            "\n",
            minute_,
            minute_ + 1000
        )
    );
    const std::string two = ask(
        R"({"name":"load","tags":{"host":["b"]},"exclude_tags":true},)"
        R"({"name":"load","aggregators":[{"name":"sum","align_sampling":true,"align_start_time":true,)"
        R"("sampling":{"value":1,"unit":"minutes"}},{"name":"scale","factor":10}],)"
        R"("group_by":[{"name":"tag","tags":["host"]}]})"
    );
    EXPECT_THAT(two, HasSubstr(fmt::format(R"("values":[[{},4]])", minute_ + 1000)));
    EXPECT_THAT(
        two,
        HasSubstr(fmt::format(
            R"("group":{{"host":"a"}}}}],"tags":{{"dc":["x"],"host":["a"]}},"values":[[{},35]])",
            minute_
        ))
    );
    EXPECT_THAT(
        ask(R"({"name":"nothing"})"),
        HasSubstr(R"({"sample_size":0,"results":[{"name":"nothing","tags":{},"values":[]}]})")
    );

    // By a parameter, as some clients ask; the time counts from now on.
    const std::string by_get =
        get(query_path +
            "?query=%7B%22start_relative%22:%7B%22value%22:1,%22unit%22:%22hours%22%7D,"
            "%22metrics%22:%5B%7B%22name%22:%22disk%22%7D%5D%7D");
    EXPECT_THAT(by_get, HasSubstr(fmt::format(R"("values":[[{},7]])", minute_ + 1000)));
    EXPECT_EQ(
        post(
            query_path + "/tags",
            R"({"start_absolute":0,"metrics":[{"name":"load","tags":{"dc":"x"}},{"name":"none"}]})"
        )
            .body,
        R"({"queries":[{"results":[{"name":"load","tags":{"dc":["x"],"host":["a","b"]}}]},)"
        R"({"results":[{"name":"none","tags":{}}]}]})"
        "\n"
    );
}

TEST_F(Kairos, a_series_is_the_one_of_carbon_and_graphite) {
    send(fmt::format(
        R"({{"name":"load","tags":{{"host":"a","dc":"x"}},"datapoints":[[{},1]]}})", minute_
    ));
    RawConnection carbon{carbon_};
    ASSERT_TRUE(carbon.send(
        fmt::format("load;host=a;dc=x 2 {0}\nload 3 {0}\nlead 4 {0}\n", minute_ / 1000 + 10)
    ));
    ASSERT_TRUE(eventually([&] { return api_.metric("footfall_timeseries_points_total") == 4; }))
        << api_.metric("footfall_timeseries_points_total");
    EXPECT_THAT(
        ask(R"({"name":"load","tags":{"host":"a"}})"),
        HasSubstr(fmt::format(R"("values":[[{},1],[{},2]])", minute_, minute_ + 10'000))
    );
    EXPECT_THAT(ask(R"({"name":"load"})"), HasSubstr(R"("sample_size":3)"));
    EXPECT_THAT(
        get(fmt::format(
            "/render?target=load;dc=x;host=a&from={}&until={}",
            minute_ / 1000 - 1,
            minute_ / 1000 + 10
        )),
        HasSubstr(fmt::format("[[1,{}],[2,{}]]", minute_ / 1000, minute_ / 1000 + 10))
    );
    EXPECT_EQ(get("/api/v1/metricnames"), "{\"results\":[\"lead\",\"load\"]}\n");
    EXPECT_EQ(get("/api/v1/metricnames?prefix=lo"), "{\"results\":[\"load\"]}\n");
    EXPECT_EQ(get("/api/v1/tagnames"), "{\"results\":[\"dc\",\"host\"]}\n");
    EXPECT_EQ(get("/api/v1/tagvalues"), "{\"results\":[\"a\",\"x\"]}\n");
}

TEST_F(Kairos, what_was_taken_outlives_a_kill_and_comes_packed_too) {
    const CommandResult packed = run_command(
        {.words = {"gzip", "-c"},
         .input = fmt::format(
             R"([{{"name":"a","tags":{{"b":"c"}},"datapoints":[[{},1],[{},2]]}}])",
             minute_,
             minute_ + 1
         )}
    );
    EXPECT_EQ(post(points_path, packed.output, {{"Content-Type", "application/gzip"}}).status, 204);
    EXPECT_EQ(post(points_path, packed.output, {{"Content-Encoding", "gzip"}}).status, 204);
    server_.kill();
    server_.restart();
    EXPECT_THAT(ask(R"({"name":"a"})"), HasSubstr(R"("sample_size":2)")) << "told twice, kept once";
    EXPECT_THAT(
        refused(post(points_path, packed.output.substr(0, 20), {{"Content-Encoding", "gzip"}})),
        HasSubstr("no gzip, or is damaged or cut off")
    );
    const CommandResult bomb =
        run_command({.words = {"gzip", "-c"}, .input = std::string((16 << 20) + 1, ' ')});
    const auto answer = post(points_path, bomb.output, {{"Content-Type", "application/gzip"}});
    expect_problem(answer, 413, "body-too-large", "Content-Encoding");
    EXPECT_EQ(server_.stop(), 0);
}

TEST_F(Kairos, of_what_is_refused_nothing_is_stored) {
    const auto point = [&](const std::string& name, std::int64_t time) {
        return fmt::format(
            R"({{"name":"{}","tags":{{"b":"c"}},"timestamp":{},"value":1}})", name, time
        );
    };
    const auto both = [&](const std::string& other) {
        return refused(post(points_path, "[" + point("good", minute_) + "," + other + "]"));
    };
    EXPECT_EQ(
        both(point("old", 1000)),
        "1 of the points are of before what is kept: metrics_keep is 90 days"
    );
    EXPECT_EQ(
        both(point("early", now() + 100'000'000)), "1 of the points are of more than a day from now"
    );
    EXPECT_EQ(
        both(R"({"name":"bad","tags":{}})"), "metric[1](name=bad).tags must have one tag at least"
    );
    EXPECT_EQ(get("/api/v1/metricnames"), "{\"results\":[]}\n");
    EXPECT_EQ(api_.metric("footfall_timeseries_series"), 0);

    for (int series = 0; series < 5; ++series) {
        send(point(fmt::format("s{}", series), minute_));
    }
    EXPECT_THAT(
        refused(post(points_path, "[" + point("s0", minute_ + 1) + "," + point("s5", minute_) + "]")
        ),
        HasSubstr("there are 5 series, and metrics_series allows no more")
    );
    EXPECT_THAT(ask(R"({"name":"s0"})"), HasSubstr(R"("sample_size":1)"));
    EXPECT_EQ(api_.metric("footfall_timeseries_series"), 5);
    EXPECT_EQ(api_.metric(R"(footfall_timeseries_refused_total{why="no_room"})"), 1);
    EXPECT_EQ(api_.metric("footfall_timeseries_points_total"), 5);
}

TEST_F(Kairos, what_is_wrong_with_a_question_is_told_with_where) {
    const auto metric = [](const std::string& more) {
        return R"({"start_absolute":0,"metrics":[{"name":"a",)" + more + "}]}";
    };
    const std::vector<std::pair<std::string, std::string>> questions{
        {"", "query: is no JSON"},
        {"[]", "query: is a JSON object"},
        {R"({"metrics":[{"name":"a"}]})", "start_absolute or start_relative"},
        {R"({"start_absolute":0})", "query.metrics: is an array"},
        {R"({"start_absolute":"x","metrics":[{"name":"a"}]})", "query.start_absolute: "},
        {R"({"start_absolute":0,"metrics":[{}]})", "query.metric[0].name: is a text"},
        {metric(R"("tags":7)"), "query.metric[0].tags: "},
        {metric(R"("limt":7)"), "there is no field \"limt\""},
        {metric(R"("order":"sideways")"), "query.metric[0].order: is one of asc, desc"},
        {metric(R"("group_by":[{"name":"host"}])"), "there is no group_by \"host\""},
        {metric(R"("group_by":{})"), "query.metric[0].group_by: is an array"},
        {metric(R"("aggregators":[{"name":"counts"}])"),
         "no aggregator \"counts\", but count; there are avg"},
        {metric(R"("aggregators":[{"name":"save_as","metric_name":"b"}])"),
         "a question writes nothing"},
        {metric(R"("aggregators":[{"name":"div","divisor":0}])"), "aggregators[0].divisor: is not 0"
        }
    };
    for (const auto& [body, said] : questions) {
        EXPECT_THAT(refused(post(query_path, body)), HasSubstr(said)) << body;
        EXPECT_THAT(refused(post(query_path + "/tags", body)), HasSubstr(said)) << body;
    }
    expect_problem(api_.send(Method::get, query_path + "?q=1"), 400, "invalid-input", "q");
    // What only the points show.
    send(fmt::format(
        R"([{{"name":"a","tags":{{"h":"1"}},"timestamp":{0},"value":1}},)"
        R"({{"name":"a","tags":{{"h":"2"}},"datapoints":[[{0},1],[{1},1]]}}])",
        minute_,
        minute_ + 59'000
    ));
    const auto of_points = [&](const std::string& aggregator) {
        return post(query_path, metric(R"("aggregators":[)" + aggregator + "]"));
    };
    EXPECT_THAT(refused(of_points(R"({"name":"rate"})")), HasSubstr("two points of the same time"));
    EXPECT_EQ(of_points(R"({"name":"gaps","sampling":{"value":1,"unit":"seconds"}})").status, 200);
}

TEST_F(Kairos, points_that_are_none_are_told_with_where) {
    const auto load = [](const std::string& more) {
        return R"({"name":"load","tags":{"a":"b"},)" + more + "}";
    };
    const std::vector<std::pair<std::string, std::string>> bodies{
        {"", "the body is no JSON"},
        {"null", "the body is no JSON"},
        {"[1]", "metric[0] must be a JSON object"},
        {"{}", "metric[0].name must be there"},
        {R"({"name":"a","tags":{"b":"c"}})", "metric[0](name=a).datapoints must have one point"},
        {R"({"name":"a b","tags":{"b":"c"},"timestamp":1,"value":1})", "has a space"},
        {R"({"name":"a;b","tags":{"b":"c"},"timestamp":1,"value":1})", "has a semicolon"},
        {R"({"name":"a","tags":{"b":"c d"},"timestamp":1,"value":1})", "has a space"},
        {load(R"("timestamp":1,"value":"7")"), "metric[0](name=load).value must be a number"},
        {load(R"("timestamp":1,"value":{"v":1}})"), "metric[0](name=load).value must be a number"},
        {load(R"("timestamp":1.5,"value":7)"), "metric[0](name=load).timestamp must be whole"},
        {load(R"("timestamp":1)"), "metric[0](name=load).value must be there"},
        {load(R"("timestamp":1,"value":7,"type":"complex")"), "metric[0](name=load).type must be"},
        {load(R"("timestamp":1,"value":7,"ttl":"1h")"), "metric[0](name=load).ttl must be"},
        {load(R"("datapoints":[[1,2],[3,NaN]])"), "metric[0](name=load).datapoints[1] must be"},
        {std::string(1 << 20, '['), "the body is no JSON"}
    };
    for (const auto& [body, said] : bodies) {
        EXPECT_THAT(refused(post(points_path, body)), HasSubstr(said)) << body.substr(0, 100);
    }
    expect_problem(post(points_path + "?sync=true", "[]"), 400, "invalid-input", "sync");
    EXPECT_EQ(api_.metric("footfall_timeseries_series"), 0);
}

TEST_F(Kairos, health_and_version_are_told) {
    EXPECT_EQ(get("/api/v1/health/status"), "[\"Datastore-Query: OK\"]\n");
    EXPECT_EQ(api_.send(Method::get, "/api/v1/health/check").status, 204);
    EXPECT_THAT(get("/api/v1/version"), HasSubstr(R"({"version":"KairosDB )"));
}

/// Whoever sends need not see, and whoever looks need not send.
TEST_F(Kairos, scopes_are_those_of_events) {
    const auto key_of = [&](const std::string& name, const std::string& by) {
        std::vector<std::pair<std::string, std::string>> headers;
        if (!by.empty()) {
            headers.emplace_back("Authorization", "Bearer " + by);
        }
        const auto made = post(
            "/api/v1/keys", fmt::format(R"({{"name":"{0}","scopes":["{0}"]}})", name), headers
        );
        EXPECT_EQ(made.status, 201) << made.body;
        return std::string{parse_object(made.body).at("key").as_string()};
    };
    const std::string admin = key_of("admin", "");
    const std::string writer = key_of("write", admin);
    const std::string reader = key_of("read", admin);
    const auto status = [&](const std::string& path, const std::string& body, const std::string& by
                        ) { return post(path, body, {{"Authorization", "Bearer " + by}}).status; };
    EXPECT_EQ(status(points_path, "[]", writer), 204);
    EXPECT_EQ(status(points_path, "[]", reader), 403);
    const std::string question = R"({"start_absolute":0,"metrics":[{"name":"a"}]})";
    EXPECT_EQ(status(query_path, question, reader), 200);
    EXPECT_EQ(status(query_path, question, writer), 403);
    EXPECT_EQ(post(points_path, "[]").status, 401);
}

}  // namespace
}  // namespace footfall
