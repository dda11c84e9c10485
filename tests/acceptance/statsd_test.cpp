// statsd itself (tests/statsd) sends what it is told to the port of Carbon: counters add up to what
// was counted, gauges are what was said.
#include "net/test_datagrams.h"
#include "test_support/child_process.h"
#include "test_support/eventually.h"
#include "test_support/own_port.h"
#include "test_support/running_server.h"

#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <chrono>
#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

namespace footfall {
namespace {

using http_server::Method;
using namespace std::chrono_literals;
using namespace test_support;

class Statsd : public testing::Test {
protected:
    /// Sends on what it was told every half second.
    ChildProcess start() {
        const std::string settings = directory_ / "statsd.js";
        std::ofstream{settings} << fmt::format(
            "{{ address: '127.0.0.1', port: {}, mgmt_address: '127.0.0.1', mgmt_port: {}, "
            "flushInterval: 500, deleteIdleStats: true, backends: ['./backends/graphite'], "
            "graphiteHost: '127.0.0.1', graphitePort: {}, graphite: {{ legacyNamespace: false }} "
            "}}\n",
            statsd_,
            own_port(),
            carbon_
        );
        return ChildProcess{
            {.words = {"node", FOOTFALL_STATSD "/node_modules/statsd/stats.js", settings}}
        };
    }

    std::vector<double> drawn(const std::string& target) {
        std::vector<double> all;
        const auto answer = api_.send(
            Method::get, fmt::format("/render?target={}&from=-10min&format=json", target)
        );
        EXPECT_EQ(answer.status, 200) << answer.body;
        for (const auto& line : boost::json::parse(answer.body).as_array()) {
            for (const auto& each : line.at("datapoints").as_array()) {
                if (!each.at(0).is_null()) {
                    all.push_back(each.at(0).to_number<double>());
                }
            }
        }
        return all;
    }

    const std::uint16_t carbon_ = own_port();
    const std::uint16_t statsd_ = own_port();
    TemporaryDirectory directory_;
    FootfallProcess server_{
        directory_ / "data",
        {"--metrics-own",
         "off",
         "--metrics-step",
         "1s",
         "--carbon",
         fmt::format("127.0.0.1:{}", carbon_)}
    };
    Api api_{server_};
};

TEST_F(Statsd, sends_what_it_was_told) {
    ChildProcess statsd = start();
    const net::DatagramSender sender;
    const auto tell = [&](const std::string& line) { EXPECT_TRUE(sender.send(statsd_, line)); };
    // Nobody says when it listens: it does once it has sent on what it heard.
    EXPECT_TRUE(eventually(
        [&] {
            tell("load:7.25|g");
            return !drawn("stats.gauges.load").empty();
        },
        30s,
        100ms
    )) << statsd.output()
       << statsd.errors();
    EXPECT_THAT(drawn("stats.gauges.load"), testing::Each(7.25));
    // In one datagram, so all of it is sent on at once.
    tell("shop.orders:3|c\nshop.orders:4|c\nshop.wait:20|ms\nshop.wait:40|ms");
    EXPECT_TRUE(eventually([&] { return !drawn("stats.counters.shop.orders.count").empty(); }, 30s)
    );
    EXPECT_THAT(drawn("stats.counters.shop.orders.count"), testing::ElementsAre(7));
    EXPECT_THAT(drawn("stats.counters.shop.orders.rate"), testing::ElementsAre(14));
    EXPECT_THAT(drawn("stats.timers.shop.wait.mean"), testing::ElementsAre(30));
    EXPECT_THAT(drawn("stats.timers.shop.wait.upper"), testing::ElementsAre(40));
}

}  // namespace
}  // namespace footfall
