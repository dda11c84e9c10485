#include "cli/demo_metrics.h"

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <string>

namespace footfall::cli {
namespace {

using std::chrono::hours;
using std::chrono::seconds;

const Instant some_midnight{hours{(365 * 56 + 14) * 24}};

TEST(DemoMetrics, are_the_same_however_often_they_are_told) {
    const std::string once = demo_points(some_midnight, some_midnight + hours{6}, seconds{60});
    EXPECT_EQ(demo_points(some_midnight, some_midnight + hours{6}, seconds{60}), once);
    const auto series = boost::json::parse(once).as_array();
    ASSERT_EQ(series.size(), demo_hosts().size() * demo_figures().size());
    std::set<std::string> hosts;
    for (const auto& each : series) {
        hosts.insert(std::string{each.at("tags").at("host").as_string()});
        EXPECT_EQ(each.at("datapoints").as_array().size(), 360U);
    }
    EXPECT_EQ(hosts.size(), demo_hosts().size());
    const auto& second = series.at(0).at("datapoints").at(1);
    EXPECT_EQ(
        second.at(0).to_number<std::int64_t>(),
        (some_midnight + seconds{60}).time_since_epoch() / std::chrono::milliseconds{1}
    );
    EXPECT_EQ(second.at(1).to_number<double>(), demo_value(0, 0, some_midnight + seconds{60}));
}

TEST(DemoMetrics, are_more_by_day_and_spike_now_and_then) {
    double by_day = 0;
    double by_night = 0;
    double slowest = 0;
    for (int minute = 0; minute < 14 * 24 * 60; ++minute) {
        const Instant at = some_midnight + std::chrono::minutes{minute};
        const int hour = minute / 60 % 24;
        by_day += hour >= 12 && hour < 18 ? demo_value(0, 0, at) : 0;
        by_night += hour < 6 ? demo_value(0, 0, at) : 0;
        slowest = std::max(slowest, demo_value(0, 1, at));
        for (std::size_t figure = 0; figure < demo_figures().size(); ++figure) {
            EXPECT_GE(demo_value(1, figure, at), 0);
        }
    }
    EXPECT_GT(by_day, 2 * by_night);
    EXPECT_GT(slowest, 150);
}

}  // namespace
}  // namespace footfall::cli
