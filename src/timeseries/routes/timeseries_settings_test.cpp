#include "timeseries_routes/timeseries_settings.h"

#include <gmock/gmock.h>

#include <array>
#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace footfall::timeseries::routes {
namespace {

using namespace std::chrono_literals;

TEST(TimeSeriesSettings, are_read) {
    const std::array<jobs::GivenValue, 5> values{
        {{.name = "carbon", .text = "[::1]:2003", .origin = "--carbon"},
         {.name = "metrics_keep", .text = "30d", .origin = "--metrics-keep"},
         {.name = "metrics_step", .text = "60s", .origin = "--metrics-step"},
         {.name = "metrics_retention",
          .text = "web.* -> 1s:6h, 1m:7d ; db.*->10s:30d",
          .origin = "--metrics-retention"},
         {.name = "metrics_series", .text = "10", .origin = "--metrics-series"}}
    };
    const auto read = timeseries_settings.read({.sections = {}, .values = values});
    ASSERT_TRUE(read) << read.error().message;
    const auto& settings = dynamic_cast<const TimeSeriesSettings&>(**read);
    const AddressAndPort carbon = settings.carbon.value_or(AddressAndPort{});
    EXPECT_EQ(carbon.address, "::1");
    EXPECT_EQ(carbon.port, 2003);
    EXPECT_EQ(settings.keep, std::chrono::days{30});
    EXPECT_EQ(settings.step, 60s);
    EXPECT_EQ(settings.series_max, 10);
    const auto expect_kept = [retention = settings.retention(
                              )](std::string_view name, std::string_view resolutions) {
        EXPECT_THAT(
            retention.of(name), testing::ElementsAreArray(*series::parse_resolutions(resolutions))
        ) << name;
    };
    expect_kept("web.a", "1s:6h, 1m:7d");
    expect_kept("db.a", "10s:30d");
    expect_kept("other", "60s:30d, 5m:180d, 1h:730d");
}

TEST(TimeSeriesSettings, that_hold_without_any_are_those_of_the_table) {
    std::vector<jobs::GivenValue> values;
    for (const jobs::ValueSetting& each : timeseries_settings.values) {
        if (each.without.is_value) {
            values.push_back({.name = each.name, .text = each.without.text, .origin = "default"});
        }
    }
    const auto read = timeseries_settings.read({.sections = {}, .values = values});
    ASSERT_TRUE(read);
    const auto& settings = dynamic_cast<const TimeSeriesSettings&>(**read);
    const TimeSeriesSettings defaults;
    EXPECT_FALSE(settings.carbon);
    EXPECT_EQ(settings.keep, defaults.keep);
    EXPECT_EQ(settings.step, defaults.step);
    EXPECT_EQ(settings.series_max, defaults.series_max);
}

TEST(TimeSeriesSettings, a_server_keeps_its_own_metrics_unless_it_is_told_not_to_or_shares) {
    EXPECT_EQ(TimeSeriesSettings{}.own_name(false), "local");
    EXPECT_EQ(TimeSeriesSettings{}.own_name(true), "") << "two of one name would mix";
    for (const auto& [text, name] : std::vector<std::pair<std::string, std::string>>{
             {"shop-1", "shop-1"}, {"off", ""}, {"", ""}
         }) {
        const std::array<jobs::GivenValue, 1> values{
            {{.name = "metrics_own", .text = text, .origin = "--metrics-own"}}
        };
        const auto read = timeseries_settings.read({.sections = {}, .values = values});
        ASSERT_TRUE(read) << read.error().message;
        const auto& settings = dynamic_cast<const TimeSeriesSettings&>(**read);
        EXPECT_EQ(settings.own_name(false), name) << text;
        EXPECT_EQ(settings.own_name(true), name) << text;
    }
}

TEST(TimeSeriesSettings, an_error_says_where) {
    for (const auto& [name, text] : std::vector<std::pair<std::string, std::string>>{
             {"carbon", "2003"},
             {"carbon", ""},
             {"carbon", "127.0.0.1:70000"},
             {"metrics_keep", "1h"},
             {"metrics_keep", "forever"},
             {"metrics_step", "0s"},
             {"metrics_step", "2d"},
             {"metrics_retention", ""},
             {"metrics_retention", "10s:6h"},
             {"metrics_retention", "web.* -> 10s:6h;"},
             {"metrics_retention", "web.* -> 10s:6h; db.[ -> 10s:6h"},
             {"metrics_retention", "web.* -> 10s:1h"},
             {"metrics_retention", "web.* -> 10s:11y"},
             {"metrics_retention", "web.* -> 10s:6h, 55s:7d"},
             {"metrics_retention", "web.* -> 10s:6h, 2h:7d"},
             {"metrics_retention", "web.* -> 1s:6h, 7s:7d"},
             {"metrics_retention", "web.* -> 10s:7d, 60s:7d"},
             {"metrics_retention", "web.* -> 10s:6h, 60s:seven"},
             {"metrics_series", "0"},
             {"metrics_series", "many"},
             {"metrics_own", "a.b"},
             {"metrics_own", "a b"},
             {"metrics_own", "a;b=c"},
             {"metrics_own", std::string(65, 'a')}
         }) {
        const std::string origin = "footfall.toml:4: " + name;
        const std::array<jobs::GivenValue, 1> values{{{.name = name, .text = text, .origin = origin}
        }};
        const auto read = timeseries_settings.read({.sections = {}, .values = values});
        ASSERT_FALSE(read) << name << " " << text;
        EXPECT_EQ(read.error().kind, ErrorKind::invalid_input);
        EXPECT_THAT(read.error().message, testing::HasSubstr(origin));
    }
}

}  // namespace
}  // namespace footfall::timeseries::routes
