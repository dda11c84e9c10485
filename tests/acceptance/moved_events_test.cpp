// Events of a laptop that grew onto a real cluster are still explained there (./test cluster).

#include "foundation_testing/temporary_directory.h"
#include "moving_parts.h"
#include "test_support/api.h"
#include "test_support/eventually.h"
#include "test_support/footfall_process.h"
#include "test_support/tested_store.h"

#include <boost/json/object.hpp>
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <string>
#include <vector>

namespace footfall::acceptance {
namespace {

using http_server::Method;
using testing::HasSubstr;
using namespace test_support;

/// One that the deployment's rules count, and one with its id that says something else.
constexpr const char* before_the_move =
    R"({"i":"known","o":"post-1","a":"ann","t":"2026-01-01T10:00:00Z"})"
    "\n"
    R"({"i":"robot","o":"post-1","a":"bob","t":"2026-01-01T10:00:01Z","g":"Googlebot/2.1"})"
    "\n";

std::string position_of(const std::string& event) {
    return std::string{parse_object(event).at("position").as_string()};
}

TEST(MovedEvents, are_explained_where_they_moved) {
    const TemporaryDirectory directory;
    const std::string file = directory.write("events.ndjson", before_the_move);
    run_well(
        {"import",
         file,
         "--as",
         "events",
         "--format",
         "ndjson",
         "--map",
         "id=i,object=o,actor=a,time=t,agent=g",
         "--set",
         "action=view",
         "--data",
         directory / "laptop"}
    );
    run_well({"export", directory / "moved", "--data", directory / "laptop"});
    const std::vector<std::string> words = store_words(directory / "data");
    const std::string keyspace = *(std::ranges::find(words, "--cassandra-keyspace") + 1);
    run_well(
        {"import-tables",
         directory / "moved",
         "--store",
         "cassandra",
         "--cassandra-keyspace",
         keyspace}
    );
    const FootfallProcess server{directory / "data"};
    Api api{server};
    const auto found = [&](const std::string& id) {
        return api.send(Method::get, "/api/v1/events/" + id);
    };
    const auto robot = found("robot");
    ASSERT_EQ(robot.status, 200) << robot.body;
    EXPECT_THAT(robot.body, HasSubstr(R"("reason":"not_human")"));
    EXPECT_EQ(found(position_of(robot.body)).body, robot.body);

    // What is judged from now on is of another log, and names what was before it.
    const auto taken = api.send(
        Method::post,
        "/api/v1/events",
        R"({"id":"known","action":"view","object":"post-1","actor":"eve"})"
        "\n"
        R"({"id":"new","action":"view","object":"post-1","actor":"eve"})"
    );
    ASSERT_EQ(taken.status, 200) << taken.body;
    ASSERT_TRUE(eventually([&] { return found("new").status == 200; }));
    const auto known = found("known");
    ASSERT_EQ(known.status, 200) << known.body;
    EXPECT_THAT(known.body, HasSubstr(R"("actor":"ann")")) << "the first one keeps its id";
    const auto latest = parse_object(api.send(Method::get, "/api/v1/events?object=post-1").body);
    std::string earlier;
    for (const auto& event : latest.at("events").as_array()) {
        const auto& verdict = event.at("verdict").as_object();
        if (const auto* reason = verdict.if_contains("reason");
            reason && *reason == "id_conflict") {
            earlier = verdict.at("evidence").at("earlier").as_string();
        }
    }
    EXPECT_EQ(earlier, position_of(known.body));
    EXPECT_EQ(found(earlier).body, known.body);
    EXPECT_NE(position_of(known.body).substr(0, 16), position_of(found("new").body).substr(0, 16));
}

}  // namespace
}  // namespace footfall::acceptance
