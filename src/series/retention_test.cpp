#include "series/retention.h"

#include <gmock/gmock.h>

#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace footfall::series {
namespace {

using namespace std::chrono_literals;
using std::chrono::days;

TEST(Retention, is_read) {
    const auto rule = parse_retention("footfall.* -> 10s:6h, 60s:7d,1h:5y");
    ASSERT_TRUE(rule) << rule.error().message;
    EXPECT_EQ(rule->pattern.text(), "footfall.*");
    const std::vector<Resolution> resolutions{
        {.step = 10s, .kept = 6h}, {.step = 60s, .kept = days{7}}, {.step = 1h, .kept = days{1825}}
    };
    EXPECT_EQ(rule->resolutions, resolutions);
    const auto one = parse_resolutions("1m:2w");
    ASSERT_TRUE(one);
    EXPECT_EQ(one->front(), (Resolution{.step = 60s, .kept = days{14}}));
}

TEST(Retention, what_is_wrong_is_said) {
    const std::vector<std::pair<std::string, std::string>> wrong{
        {"", "write PATTERN ->"},
        {"footfall.*", "write PATTERN ->"},
        {"-> 10s:6h", "is empty"},
        {"a..b -> 10s:6h", "is empty"},
        {"a ->", "write step:how long"},
        {"a -> 10s", "write step:how long"},
        {"a -> 10s:6h,", "write step:how long"},
        {"a -> 10:6h", "10 is no span"},
        {"a -> 0s:6h", "0s is no span"},
        {"a -> 10s:-1d", "-1d is no span"},
        {"a -> 10s:6x", "6x is no span"},
        {"a -> 99999999999999999999s:1d", "is no span"},
        {"a -> 2d:4d", "a step is a day at most"},
        {"a -> 10s:101y", "100 years at most"},
        {"a -> 1h:1m", "a step at least"},
        {"a -> 10s:6h, 15s:7d", "a multiple of the one before, which is 10 s"},
        {"a -> 10s:6h, 10s:7d", "a multiple"},
        {"a -> 10s:6h, 60s:6h", "kept longer"},
        {"a -> 60s:6h, 10s:7d", "a multiple"},
        {"a -> 1s:1m,2s:2m,4s:3m,8s:4m,16s:5m,32s:6m,64s:7m,128s:8m,256s:9m", "more than 8"},
    };
    for (const auto& [text, says] : wrong) {
        const auto rule = parse_retention(text);
        ASSERT_FALSE(rule) << text;
        EXPECT_EQ(rule.error().kind, ErrorKind::invalid_input);
        EXPECT_THAT(rule.error().message, testing::HasSubstr(says)) << text;
    }
}

}  // namespace
}  // namespace footfall::series
