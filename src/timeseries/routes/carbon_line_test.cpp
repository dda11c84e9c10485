#include "timeseries_routes/carbon_line.h"

#include <gmock/gmock.h>

#include <chrono>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace footfall::timeseries::routes {
namespace {

constexpr Instant carbon_now{std::chrono::microseconds{1'796'040'000'123'456}};

TEST(CarbonLine, is_a_name_a_value_and_a_time) {
    struct Line {
        std::string text;
        std::string name;
        double value;
        std::int64_t time;
    };

    constexpr double infinity = std::numeric_limits<double>::infinity();
    for (const Line& line : std::vector<Line>{
             {"a.b 1.5 1796040000", "a.b", 1.5, 1'796'040'000'000},
             {"a.b 1.5 1796040000\r", "a.b", 1.5, 1'796'040'000'000},
             {"  a.b\t-1e3   1796040000.25 ", "a.b", -1000, 1'796'040'000'250},
             {"a.b +7 -1", "a.b", 7, 1'796'040'000'123},
             {"a.b 7 N", "a.b", 7, 1'796'040'000'123},
             {"a;host=b;dc=c inf 1", "a;dc=c;host=b", infinity, 1000},
             {"a -inf -2", "a", -infinity, -2000}
         }) {
        std::string room;
        const auto read = read_carbon_line(line.text, carbon_now, room);
        ASSERT_TRUE(read) << line.text << ": " << read.error().message;
        ASSERT_TRUE(*read) << line.text;
        const PointOf found = read->value_or(PointOf{});
        EXPECT_EQ(found.name, line.name);
        EXPECT_EQ(found.point.value, line.value);
        EXPECT_EQ(found.point.time, line.time);
    }
}

TEST(CarbonLine, without_a_number_is_no_point) {
    for (const std::string& text : {"", "  \r", "a nan 1", "a NaN N"}) {
        std::string room;
        const auto read = read_carbon_line(text, carbon_now, room);
        ASSERT_TRUE(read) << text;
        EXPECT_FALSE(*read) << text;
    }
}

TEST(CarbonLine, that_is_none_is_refused_with_why) {
    for (const auto& [text, says] : std::vector<std::pair<std::string, std::string>>{
             {"a", "NAME VALUE TIME"},
             {"a 1", "NAME VALUE TIME"},
             {"a 1 2 3", "NAME VALUE TIME"},
             {"a one 2", "NAME VALUE TIME"},
             {"a 1x 2", "NAME VALUE TIME"},
             {"a 0x10 2", "NAME VALUE TIME"},
             {"a 1e999 2", "NAME VALUE TIME"},
             {"a 1 now", "a time is in seconds"},
             {"a 1 1e30", "a time is in seconds"},
             {"a 1 nan", "a time is in seconds"},
             {"a 1 inf", "a time is in seconds"},
             {"a..b 1 2", "empty"},
             {"a.* 1 2", "patterns"},
             {"a.* nan 2", "patterns"},
             {"a;b 1 2", "tag=value"},
             {"\xff 1 2", "UTF-8"},
             {std::string(2000, 'a') + " 1 2", "longer"}
         }) {
        std::string room;
        const auto read = read_carbon_line(text, carbon_now, room);
        ASSERT_FALSE(read) << text;
        EXPECT_EQ(read.error().kind, ErrorKind::invalid_input);
        EXPECT_THAT(read.error().message, testing::HasSubstr(says)) << text;
    }
}

}  // namespace
}  // namespace footfall::timeseries::routes
