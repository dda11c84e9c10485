#include "timeseries_routes/kairos_points.h"

#include <gmock/gmock.h>

#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace footfall::timeseries::routes {
namespace {

using testing::HasSubstr;

using Told = std::vector<std::tuple<std::string, std::int64_t, double>>;

Told told(std::string_view json) {
    const auto sent = read_kairos_points(json);
    EXPECT_TRUE(sent) << (sent ? "" : sent.error().message);
    Told all;
    if (sent) {
        for (const PointOf& each : sent->points) {
            all.emplace_back(each.name, each.point.time, each.point.value);
        }
    }
    return all;
}

TEST(KairosPoints, reads_what_is_documented) {
    EXPECT_EQ(
        told(R"([
          {
            "name": "archive_file_tracked",
            "datapoints": [[1359788400000, 123], [1359788300000, 13.2], [1359788410000, 23.1]],
            "tags": {"host": "server1", "data_center": "DC1"},
            "ttl": 300
          },
          {
            "name": "archive_file_search",
            "timestamp": 1359786400000,
            "value": 321,
            "tags": {"host": "server2"}
          }
        ])"),
        (Told{
            {"archive_file_tracked;data_center=DC1;host=server1", 1'359'788'400'000, 123},
            {"archive_file_tracked;data_center=DC1;host=server1", 1'359'788'300'000, 13.2},
            {"archive_file_tracked;data_center=DC1;host=server1", 1'359'788'410'000, 23.1},
            {"archive_file_search;host=server2", 1'359'786'400'000, 321}
        })
    );
}

TEST(KairosPoints, reads_one_metric_in_whatever_order) {
    EXPECT_EQ(
        told(R"({"tags":{"z":"1","a":"b=c"},"type":"double","datapoints":[[1,2,"long"],[-3,4e2]],)"
             R"("value":7,"timestamp":5,"name":"\u0061.b"})"),
        (Told{{"a.b;a=b=c;z=1", 1, 2}, {"a.b;a=b=c;z=1", -3, 400}, {"a.b;a=b=c;z=1", 5, 7}})
    );
    EXPECT_TRUE(told("[]").empty());
}

TEST(KairosPoints, takes_so_many) {
    const auto with = [](std::size_t points) {
        std::string json = R"({"name":"a","tags":{"b":"c"},"datapoints":[[1,1])";
        for (std::size_t at = 1; at < points; ++at) {
            json += ",[1,1]";
        }
        return read_kairos_points(json + "]}");
    };
    EXPECT_TRUE(with(kairos_points_max));
    const auto refused = with(kairos_points_max + 1);
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().message, HasSubstr("more than 100000 points"));
}

std::string named(const std::string& name, const std::string& tags) {
    return R"({"name":)" + name + R"(,"tags":)" + tags + R"(,"datapoints":[[1,2]]})";
}

std::string load_with(const std::string& more) {
    return R"({"name":"load","tags":{"a":"b"},)" + more + "}";
}

/// What is sent, and what is said of it.
void expect_wrong(const std::vector<std::pair<std::string, std::string>>& cases) {
    for (const auto& [json, said] : cases) {
        const auto sent = read_kairos_points(json);
        ASSERT_FALSE(sent) << json;
        EXPECT_EQ(sent.error().kind, ErrorKind::invalid_input);
        EXPECT_THAT(sent.error().message, HasSubstr(said)) << json.substr(0, 200);
    }
}

TEST(KairosPoints, says_which_metric_is_wrong_and_why) {
    const std::string tags = R"({"a":"b"})";
    const std::string good = named("\"good\"", tags);
    expect_wrong(
        {{"", "the body is no JSON"},
         {"7", "the body is no JSON"},
         {"{", "the body is no JSON"},
         {good + "]", "the body is no JSON"},
         {"[" + good + ",7]", "metric[1] must be a JSON object"},
         {"[" + good + ",{}]", "metric[1].name must be there"},
         {"[" + good, "metric"},
         {"[" + good + "," + named("\"\"", tags) + "]", "metric[1].name must be a text of 1 to 1024"
         },
         {named("7", tags), "metric[0].name must be a text"},
         {named('"' + std::string(1025, 'n') + '"', tags),
          "metric[0].name must be a text of 1 to 1024"},
         {named("\"a;b=c\"", tags), "metric[0](name=a;b=c).name has a semicolon"},
         {named("\"a b\"", tags),
          "metric[0](name=a b).name with its tags: the name of the series is not UTF-8, or has a "
          "space"},
         {named("\"a..b\"", tags), "has a part between dots that is empty"},
         {named("\"a.*\"", tags), "of which patterns are made"},
         {named("\"a\"", "{}"), "metric[0](name=a).tags must have one tag at least"},
         {R"({"name":"a","datapoints":[[1,2]]})",
          "metric[0](name=a).tags must have one tag at least"},
         {named("\"a\"", "[]"), "metric[0](name=a).tags must be a JSON object of texts"},
         {named("\"a\"", R"({"b":1})"), "metric[0](name=a).tags must be a JSON object of texts"},
         {named("\"a\"", R"({"b":""})"), "metric[0](name=a).tags has a tag that is empty"},
         {named("\"a\"", R"({"":"b"})"), "metric[0](name=a).tags has a tag that is empty"},
         {named("\"a\"", R"({"b":"c;d=e"})"), "metric[0](name=a).tags has a tag"},
         {named("\"a\"", R"({"b=c":"d"})"), "metric[0](name=a).tags has a tag"},
         {named("\"a\"", R"({"b":"c","b":"d"})"), "has a tag twice"},
         {named("\"a\"", R"({"b":")" + std::string(2000, 'v') + "\"}"), "is longer than 1024 bytes"
         },
         {named("\"a\"", R"({"!b":"c"})"), "has a tag with ! or ^"},
         {"[" + std::string(5000, '[') + "]", "metric[0] must be a JSON object"},
         {"{\"name\":\"\xff\"}", "the body is no JSON"}}
    );
}

TEST(KairosPoints, says_which_point_is_wrong_and_why) {
    expect_wrong(
        {{load_with(R"("datapoints":[])"),
          "metric[0](name=load).datapoints must have one point at least"},
         {load_with(R"("ttl":1)"), "metric[0](name=load).datapoints must have one point at least"},
         {load_with(R"("datapoints":{"1":2})"), "metric[0](name=load).datapoints must be an array"},
         {load_with(R"("datapoints":[[1,2],[3]])"),
          "metric[0](name=load).datapoints[1] must be [whole"},
         {load_with(R"("datapoints":[[1,"2"]])"),
          "metric[0](name=load).datapoints[0] must be [whole"},
         {load_with(R"("datapoints":[[1.5,2]])"), "metric[0](name=load).datapoints[0] must be"},
         {load_with(R"("datapoints":[[1,null]])"), "metric[0](name=load).datapoints[0] must be"},
         {load_with(R"("datapoints":[[1,1e999]])"), "metric[0](name=load).datapoints[0] must be"},
         {load_with(R"("datapoints":[[1,2,"string"]])"),
          "metric[0](name=load).datapoints[0] must be"},
         {load_with(R"("datapoints":[[1,2,"long",3]])"),
          "metric[0](name=load).datapoints[0] must be"},
         {load_with(R"("datapoints":[1,2])"), "metric[0](name=load).datapoints[0] must be"},
         {load_with(R"("timestamp":1)"), "metric[0](name=load).value must be there"},
         {load_with(R"("value":1)"), "metric[0](name=load).timestamp must be there"},
         {load_with(R"("timestamp":"1","value":1)"), "metric[0](name=load).timestamp must be whole"
         },
         {load_with(R"("timestamp":1,"value":"1")"),
          "metric[0](name=load).value must be a number: texts"},
         {load_with(R"("timestamp":1,"value":true)"), "metric[0](name=load).value must be a number"
         },
         {load_with(R"("timestamp":1,"value":1,"type":"string")"),
          "metric[0](name=load).type must be long or double"},
         {load_with(R"("timestamp":1,"value":1,"ttl":-1)"),
          "metric[0](name=load).ttl must be whole seconds"},
         {load_with(R"("timestmap":1,"value":1)"),
          "metric[0](name=load).timestmap is not known; there are name"}}
    );
}

}  // namespace
}  // namespace footfall::timeseries::routes
