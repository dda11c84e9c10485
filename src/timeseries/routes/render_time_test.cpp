#include "timeseries_routes/render_time.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace footfall::timeseries::routes {
namespace {

/// 2026-11-30, 12:00 UTC.
constexpr std::int64_t noon = 1'796'040'000;

TEST(RenderTime, is_what_graphite_means) {
    for (const auto& [text, time] : std::vector<std::pair<std::string, std::int64_t>>{
             {"0", 0},
             {"1796040000", noon},
             {"now", noon},
             {"-30s", noon - 30},
             {"-1min", noon - 60},
             {"-5minutes", noon - 300},
             {"-1h", noon - 3600},
             {"-7d", noon - 7 * 86'400},
             {"-2w", noon - 14 * 86'400},
             {"-1mon", noon - 30 * 86'400},
             {"-1y", noon - 365 * 86'400},
             {"today", noon - 43'200},
             {"midnight", noon - 43'200},
             {"yesterday", noon - 43'200 - 86'400},
             {"20261130", noon - 43'200},
             {"14:30_20261130", noon + 9'000}
         }) {
        EXPECT_EQ(parse_render_time(text, noon), time) << text;
    }
}

TEST(RenderTime, is_refused_where_it_is_none) {
    for (const std::string& text :
         {"",
          "-",
          "-h",
          "-1",
          "-1x",
          "--1h",
          "1h",
          "noon",
          "24:00_20261130",
          "14.30_20261130",
          "14:30_2026113",
          "_20261130",
          "-99999999999999999999h",
          "-9999999999y",
          "253402300800",
          "1e9",
          " 1"}) {
        EXPECT_FALSE(parse_render_time(text, noon)) << text;
    }
}

}  // namespace
}  // namespace footfall::timeseries::routes
