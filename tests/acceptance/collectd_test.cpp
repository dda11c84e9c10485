// collectd itself sends what it measures to the port of Carbon, and writes the same into files: the
// same values are answered.
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
#include <cmath>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>

namespace footfall {
namespace {

using http_server::Method;
using namespace std::chrono_literals;
using namespace test_support;

class Collectd : public testing::Test {
protected:
    ChildProcess start() {
        const std::string settings = directory_ / "collectd.conf";
        std::ofstream{settings} << fmt::format(
            R"(Hostname "a"
FQDNLookup false
Interval 1
BaseDir "{0}"
PIDFile "{0}/collectd.pid"
LoadPlugin logfile
<Plugin logfile>
  File stdout
</Plugin>
LoadPlugin load
LoadPlugin memory
LoadPlugin csv
<Plugin csv>
  DataDir "{0}/csv"
</Plugin>
LoadPlugin write_graphite
<Plugin write_graphite>
  <Node "footfall">
    Host "127.0.0.1"
    Port "{1}"
    Protocol "tcp"
    Prefix "collectd."
  </Node>
</Plugin>
)",
            directory_.path().string(),
            carbon_
        );
        return ChildProcess{{.words = {"/usr/sbin/collectd", "-f", "-C", settings}}};
    }

    /// What its files say of a kind of memory; the last of a second, which is all that Carbon's
    /// lines know.
    std::map<std::int64_t, double> of_files(const std::string& kind) const {
        std::map<std::int64_t, double> all;
        const std::filesystem::path folder = directory_ / "csv/a/memory";
        if (!std::filesystem::exists(folder)) {
            return all;
        }
        for (const auto& file : std::filesystem::directory_iterator{folder}) {
            if (!file.path().filename().string().starts_with("memory-" + kind + "-")) {
                continue;
            }
            std::ifstream lines{file.path()};
            std::string line;
            std::getline(lines, line);  // "epoch,value"
            while (std::getline(lines, line) && line.contains(',')) {
                all[std::llround(std::stod(line))] = std::stod(line.substr(line.find(',') + 1));
            }
        }
        return all;
    }

    std::map<std::int64_t, double> drawn(const std::string& target) {
        std::map<std::int64_t, double> all;
        const auto answer = api_.send(
            Method::get, fmt::format("/render?target={}&from=-10min&format=json", target)
        );
        EXPECT_EQ(answer.status, 200) << answer.body;
        for (const auto& line : boost::json::parse(answer.body).as_array()) {
            for (const auto& each : line.at("datapoints").as_array()) {
                if (!each.at(0).is_null()) {
                    all[each.at(1).to_number<std::int64_t>()] = each.at(0).to_number<double>();
                }
            }
        }
        return all;
    }

    const std::uint16_t carbon_ = own_port();
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

TEST_F(Collectd, finds_what_it_measured_again) {
    ChildProcess collectd = start();
    EXPECT_TRUE(eventually([&] { return of_files("free").size() >= 5; }, 60s)) << collectd.output();
    // It sends what it has gathered when it ends.
    collectd.send_signal(SIGTERM);
    EXPECT_EQ(collectd.wait(30s).exit_code, 0) << collectd.output();
    for (const std::string kind : {"free", "used"}) {
        const auto written = of_files(kind);
        EXPECT_GE(written.size(), 4);
        EXPECT_TRUE(
            eventually([&] { return drawn("collectd.a.memory.memory-" + kind) == written; }, 20s)
        ) << testing::PrintToString(written)
          << "\n"
          << testing::PrintToString(drawn("collectd.a.memory.memory-" + kind));
    }
}

}  // namespace
}  // namespace footfall
