// Prometheus itself sends what it scrapes here by remote write: the same values at the same times
// are answered.
#include "test_support/child_process.h"
#include "test_support/eventually.h"
#include "test_support/own_port.h"
#include "test_support/running_server.h"

#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <boost/json/value_to.hpp>
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdint>
#include <fstream>
#include <map>
#include <string>

namespace footfall {
namespace {

using http_server::Method;
using namespace std::chrono_literals;
using namespace test_support;

/// By milliseconds.
using Samples = std::map<std::int64_t, double>;

class Prometheus : public testing::Test {
protected:
    /// Scrapes us twice a second, and writes all of it here.
    ChildProcess start() {
        const std::string settings = directory_ / "prometheus.yml";
        std::ofstream{settings} << fmt::format(
            "global: {{scrape_interval: 500ms, scrape_timeout: 400ms}}\n"
            "scrape_configs:\n"
            "  - job_name: the shop\n"
            "    static_configs: [{{targets: ['127.0.0.1:{0}']}}]\n"
            "remote_write:\n"
            "  - url: http://127.0.0.1:{0}/api/v1/write\n"
            "    queue_config: {{batch_send_deadline: 500ms}}\n",
            server_.port()
        );
        return ChildProcess{
            {.words =
                 {"prometheus",
                  "--config.file=" + settings,
                  "--storage.tsdb.path=" + (directory_ / "prometheus"),
                  fmt::format("--web.listen-address=127.0.0.1:{}", port_)}}
        };
    }

    /// What Prometheus has of a metric by itself; none while it does not answer.
    Samples of_prometheus(const std::string& metric) const {
        Samples samples;
        http_server::Client client{{.host = "127.0.0.1", .port = port_}, 10s};
        const auto answer =
            client.send(Method::get, "/api/v1/query?query=" + metric + "%5B10m%5D", "");
        if (!answer || answer->status != 200) {
            return samples;
        }
        const auto all = boost::json::parse(answer->body);
        for (const auto& series : all.at("data").at("result").as_array()) {
            for (const auto& each : series.at("values").as_array()) {
                const double seconds = boost::json::value_to<double>(each.at(0));
                samples[std::llround(seconds * 1000)] =
                    std::stod(std::string{each.at(1).as_string()});
            }
        }
        return samples;
    }

    /// The points of a metric, as KairosDB's clients ask for them.
    Samples of_ours(const std::string& metric) {
        Samples samples;
        const auto answer = api_.send(
            Method::post,
            "/api/v1/datapoints/query",
            fmt::format(
                R"({{"start_relative":{{"value":1,"unit":"hours"}},"metrics":[{{"name":"{}"}}]}})",
                metric
            )
        );
        EXPECT_EQ(answer.status, 200) << answer.body;
        const auto all = boost::json::parse(answer.body);
        for (const auto& result : all.at("queries").at(0).at("results").as_array()) {
            for (const auto& each : result.at("values").as_array()) {
                samples[each.at(0).to_number<std::int64_t>()] = each.at(1).to_number<double>();
            }
        }
        return samples;
    }

    TemporaryDirectory directory_;
    FootfallProcess server_{directory_ / "data", {"--metrics-own", "off"}};
    Api api_{server_};
    const std::uint16_t port_ = own_port();
};

TEST_F(Prometheus, finds_what_it_scraped_again) {
    ChildProcess prometheus = start();
    const std::string metric = "scrape_duration_seconds";
    Samples scraped;
    EXPECT_TRUE(eventually([&] { return (scraped = of_prometheus(metric)).size() >= 6; }, 60s))
        << prometheus.errors();
    Samples ours;
    const auto is_all_there = [&] {
        ours = of_ours(metric);
        return std::ranges::includes(ours, scraped);
    };
    EXPECT_TRUE(eventually(is_all_there, 30s)) << testing::PrintToString(scraped) << "\n"
                                               << testing::PrintToString(ours) << "\n"
                                               << prometheus.errors();

    const auto drawn =
        api_.send(Method::get, "/render?target=seriesByTag('name=up')&from=-2min&format=json");
    ASSERT_EQ(drawn.status, 200) << drawn.body;
    const auto lines = boost::json::parse(drawn.body);
    ASSERT_EQ(lines.as_array().size(), 1) << drawn.body;
    EXPECT_EQ(
        lines.at(0).at("target").as_string(),
        fmt::format("up;instance=127.0.0.1:{};job=the%20shop", server_.port())
    );
    EXPECT_THAT(drawn.body, testing::HasSubstr("[1,"));
    EXPECT_EQ(api_.metric(R"(footfall_timeseries_refused_total{why="unnamed"})"), 0);

    // It says of each series that it has ended.
    prometheus.send_signal(SIGTERM);
    EXPECT_EQ(prometheus.wait(30s).exit_code, 0) << prometheus.errors();
    EXPECT_EQ(server_.stop(), 0);
}

}  // namespace
}  // namespace footfall
