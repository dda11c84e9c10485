#include "timeseries_routes/tag_routes.h"

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

class TagRoutes : public testing::Test {
protected:
    TagRoutes() {
        add_tag_routes(metrics_.door, metrics_.sources());
        add_render_routes(metrics_.door, metrics_.sources());
        metrics_.write(
            {"cpu;dc=a;host=h1", "cpu;dc=b;host=h2", "disk;dc=a;host=h1", "disk;role=db", "plain"},
            1,
            10
        );
    }

    std::string get(std::string_view path, std::string_view query = {}) {
        const Response got = metrics_.get(path, query);
        EXPECT_EQ(got.status, 200) << path << " " << query << ": " << got.body;
        return got.body;
    }

    TestMetrics metrics_;
};

TEST_F(TagRoutes, list_tags_and_their_values) {
    EXPECT_EQ(
        get("/tags"),
        R"([{"tag":"dc"},{"tag":"host"},{"tag":"name"},{"tag":"role"}])"
        "\n"
    );
    EXPECT_EQ(
        get("/tags", "filter=h|d&limit=1"),
        R"([{"tag":"dc"}])"
        "\n"
    );
    EXPECT_EQ(get("/tags", "filter=ost"), "[]\n");
    EXPECT_EQ(
        get("/tags/dc"),
        R"({"tag":"dc","values":[{"value":"a","count":2},{"value":"b","count":1}]})"
        "\n"
    );
    // Untagged series have no tags, not even a name.
    EXPECT_EQ(
        get("/tags/name"),
        R"({"tag":"name","values":[{"value":"cpu","count":2},{"value":"disk","count":2}]})"
        "\n"
    );
    EXPECT_EQ(
        get("/tags/host", "filter=h2"),
        R"({"tag":"host","values":[{"value":"h2","count":1}]})"
        "\n"
    );
    EXPECT_EQ(
        get("/tags/host", "filter=x"),
        R"({"tag":"host","values":[]})"
        "\n"
    );
    const Response unknown = metrics_.get("/tags/rack");
    EXPECT_EQ(unknown.status, 404);
    EXPECT_THAT(unknown.body, HasSubstr(R"("field":"tag")"));
}

TEST_F(TagRoutes, find_series_by_conditions) {
    EXPECT_EQ(
        get("/tags/findSeries", "expr=dc=a"),
        R"(["cpu;dc=a;host=h1","disk;dc=a;host=h1"])"
        "\n"
    );
    EXPECT_EQ(
        get("/tags/findSeries", "expr=name=cpu&expr=dc!=a"),
        R"(["cpu;dc=b;host=h2"])"
        "\n"
    );
    EXPECT_EQ(
        get("/tags/findSeries", "expr=name%3D~%5E(cpu%7Cdisk)&expr=host!=~h1"),
        R"(["cpu;dc=b;host=h2","disk;role=db"])"
        "\n"
    );
    EXPECT_EQ(get("/tags/findSeries", "expr=name=plain"), "[]\n");
}

TEST_F(TagRoutes, offer_tags_and_values_to_whoever_types) {
    EXPECT_EQ(
        get("/tags/autoComplete/tags"),
        R"(["dc","host","name","role"])"
        "\n"
    );
    EXPECT_EQ(
        get("/tags/autoComplete/tags", "tagPrefix=h&limit=5"),
        R"(["host"])"
        "\n"
    );
    EXPECT_EQ(
        get("/tags/autoComplete/tags", "expr=name=disk"),
        R"(["dc","host","role"])"
        "\n"
    );
    EXPECT_EQ(
        get("/tags/autoComplete/tags", "expr=name=disk&limit=2"),
        R"(["dc","host"])"
        "\n"
    );
    EXPECT_EQ(
        get("/tags/autoComplete/values", "tag=host"),
        R"(["h1","h2"])"
        "\n"
    );
    EXPECT_EQ(
        get("/tags/autoComplete/values", "tag=dc&expr=name=disk"),
        R"(["a"])"
        "\n"
    );
    EXPECT_EQ(
        get("/tags/autoComplete/values", "tag=dc&expr=host!=h1"),
        R"(["b"])"
        "\n"
    );
    EXPECT_EQ(
        get("/tags/autoComplete/values", "tag=name&valuePrefix=d"),
        R"(["disk"])"
        "\n"
    );
    EXPECT_EQ(get("/tags/autoComplete/values", "tag=rack"), "[]\n");
}

TEST_F(TagRoutes, offer_the_first_so_many_of_many_and_count_them_right) {
    constexpr int many = 3000;
    std::vector<std::string> names;
    names.reserve(many);
    for (int name = 0; name < many; ++name) {
        names.push_back(fmt::format("many;n={:04};x={}", name * 7919 % many, name % 2));
    }
    metrics_.write(names, 1);
    EXPECT_EQ(
        get("/tags/autoComplete/values", "tag=n&limit=3"),
        R"(["0000","0001","0002"])"
        "\n"
    );
    EXPECT_EQ(
        get("/tags/x", "limit=1"),
        R"({"tag":"x","values":[{"value":"0","count":1500}]})"
        "\n"
    );
}

TEST_F(TagRoutes, what_was_asked_wrong_is_named) {
    struct Wrong {
        std::string path;
        std::string query;
        std::string field;
    };

    const std::string find = "/tags/findSeries";
    const std::string tags = "/tags/autoComplete/tags";
    const std::string values = "/tags/autoComplete/values";
    std::string many;
    for (int condition = 0; condition < 33; ++condition) {
        many += "expr=dc=a&";
    }
    for (const Wrong& each : std::vector<Wrong>{
             {find, "", "expr"},
             {find, "expr=", "expr"},
             {find, "expr=dc", "expr"},
             {find, "expr=dc!=a", "expr"},
             {find, "expr=dc=~.*", "expr"},
             {find, "expr=dc=~(", "expr"},
             {find, "expr=dc=a;b", "expr"},
             {find, "expr=%ff", "expr"},
             {find, "expr=dc%", "expr"},
             {find, "expr=dc=~" + std::string(1025, 'a'), "expr"},
             {find, many, "expr"},
             {find, "expr=dc=a&limit=5", "limit"},
             {tags, "limit=0", "limit"},
             {tags, "limit=10001", "limit"},
             {tags, "limit=some", "limit"},
             {tags, "tagPrefix=%ff", "tagPrefix"},
             {tags, "expr=x", "expr"},
             {values, "", "tag"},
             {values, "tag=", "tag"},
             {values, "tag=a=b", "tag"},
             {values, "tag=dc&expr==", "expr"},
             {values, "tag=dc&limit=-1", "limit"},
             {"/tags", "filter=(", "filter"},
             {"/tags", "filter=" + std::string(2000, 'a'), "filter"},
             {"/tags", "limit=1e3", "limit"},
             {"/tags/dc", "filter=[", "filter"},
             {"/tags/", "", "tag"},
             {"/tags/%ff", "", "tag"},
         }) {
        const Response refused = metrics_.get(each.path, each.query);
        EXPECT_EQ(refused.status, 400) << each.path << " " << each.query.substr(0, 100);
        EXPECT_THAT(refused.body, HasSubstr(fmt::format(R"("field":"{}")", each.field)));
    }
}

TEST_F(TagRoutes, series_by_tag_are_drawn_as_any) {
    const std::string times = "&from=1796039970&until=1796039999&format=raw";
    EXPECT_EQ(
        get("/render", "target=seriesByTag('dc=a','name=~.')" + times),
        "cpu;dc=a;host=h1,1796039980,1796040000,10|None,1.0\n"
        "disk;dc=a;host=h1,1796039980,1796040000,10|None,1.0\n"
    );
    EXPECT_EQ(
        get("/render", "target=seriesByTag('dc=a')|sumSeries()" + times),
        "sumSeries(seriesByTag('dc=a')),1796039980,1796040000,10|None,2.0\n"
    );
    EXPECT_EQ(
        get("/render", "target=aliasByTags(seriesByTag('dc=b'),'name','host')" + times),
        "cpu.h2,1796039980,1796040000,10|None,1.0\n"
    );
    EXPECT_EQ(get("/render", "target=seriesByTag('dc=x')" + times), "");
    for (const std::string target :
         {"seriesByTag('dc')", "seriesByTag('dc!=a')", "seriesByTag()"}) {
        EXPECT_EQ(metrics_.get("/render", "target=" + target).status, 400) << target;
    }
    std::string many;
    for (int ways = 0; ways < 33; ++ways) {
        many += fmt::format("target=seriesByTag('dc=a','host!={}')&", ways);
    }
    const Response refused = metrics_.get("/render", many);
    EXPECT_EQ(refused.status, 400);
    EXPECT_THAT(refused.body, HasSubstr("more than 32 ways"));
}

}  // namespace
}  // namespace footfall::timeseries::routes
