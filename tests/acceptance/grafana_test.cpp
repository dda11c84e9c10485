// The dashboard for Grafana in packaging/grafana: what Grafana's Graphite data source asks for each
// panel and variable is asked of a real server, by the same forms, and answered with values.
#include "foundation_testing/repository.h"
#include "test_support/eventually.h"
#include "test_support/must.h"
#include "test_support/running_server.h"

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <chrono>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace footfall {
namespace {

using http_server::Method;
using testing::HasSubstr;
using namespace std::chrono_literals;
using namespace test_support;

std::string file_of_grafana(const std::string& path) {
    std::ifstream file{in_repository("packaging/grafana/" + path)};
    return {std::istreambuf_iterator<char>{file}, {}};
}

std::string escaped(std::string_view text) {
    std::string form;
    for (const char byte : text) {
        const auto value = static_cast<unsigned char>(byte);
        form += std::isalnum(value) != 0 ? std::string{byte} : fmt::format("%{:02X}", value);
    }
    return form;
}

class Grafana : public testing::Test {
protected:
    boost::json::value post(const std::string& path, const std::string& form) {
        auto client = server_.client();
        const auto answer = must(client.send(
            Method::post, path, form, {{"Content-Type", "application/x-www-form-urlencoded"}}
        ));
        EXPECT_EQ(answer.status, 200) << form << "\n" << answer.body;
        return boost::json::parse(answer.body);
    }

    /// As a panel of 800 points is drawn; whether a line has a value.
    bool is_drawn(const std::string& target) {
        const auto lines = post(
            "/render",
            fmt::format(
                "target={}&from=-15min&until=now&format=json&maxDataPoints=800", escaped(target)
            )
        );
        for (const auto& line : lines.as_array()) {
            for (const auto& point : line.at("datapoints").as_array()) {
                if (!point.at(0).is_null()) {
                    return true;
                }
            }
        }
        return false;
    }

    TemporaryDirectory directory_;
    FootfallProcess server_{directory_ / "data", {"--metrics-own", "shop-1"}};
    Api api_{server_};
    const boost::json::value dashboard_ =
        boost::json::parse(file_of_grafana("dashboards/footfall.json"));
};

TEST_F(Grafana, draws_each_line_of_each_panel) {
    ASSERT_EQ(api_.send(Method::put, "/api/v1/counter/a", "t1").status / 100, 2);
    std::size_t lines = 0;
    for (const auto& panel : dashboard_.at("panels").as_array()) {
        if (panel.at("type") == "row") {
            continue;
        }
        for (const auto& each : panel.at("targets").as_array()) {
            std::string target{each.at("target").as_string()};
            for (std::size_t at = 0; (at = target.find("$server")) != std::string::npos;) {
                target.replace(at, std::string_view{"$server"}.size(), "shop-1");
            }
            EXPECT_TRUE(eventually([&] { return is_drawn(target); }, 60s, 500ms)) << target;
            ++lines;
        }
    }
    EXPECT_GT(lines, 20);
}

TEST_F(Grafana, finds_servers_functions_and_tags) {
    EXPECT_TRUE(eventually([&] {
        const auto found = post("/metrics/find", "query=footfall.*&from=-1h&until=now");
        return found.as_array().size() == 1 && found.at(0).at("text") == "shop-1";
    }));
    EXPECT_EQ(dashboard_.at("templating").at("list").at(0).at("query").as_string(), "footfall.*");
    const std::string source = file_of_grafana("provisioning/datasources/footfall.yaml");
    EXPECT_THAT(source, HasSubstr("type: graphite"));
    // From that version on Grafana asks which functions there are, and for tags.
    EXPECT_THAT(source, HasSubstr("graphiteVersion: \"1.1\""));
    EXPECT_THAT(api_.send(Method::get, "/version").body, HasSubstr("1.1."));
    EXPECT_TRUE(api_.get_json("/functions").contains("perSecond"));
    for (const std::string path :
         {"/tags/autoComplete/tags?tagPrefix=h&limit=10000&from=1&until=2",
          "/tags/autoComplete/tags?expr=name%3Da&expr=host%3Db&limit=100",
          "/tags/autoComplete/values?expr=name%3Da&tag=host&valuePrefix=s&limit=100",
          "/tags?from=1&until=2"}) {
        const auto answer = api_.send(Method::get, path);
        EXPECT_EQ(answer.status, 200) << path << answer.body;
    }
}

}  // namespace
}  // namespace footfall
