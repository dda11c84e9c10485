#include "foundation/check.h"
#include "kairos/evaluate.h"
#include "kairos/query.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

// The input is a query of KairosDB. Whatever is answered is in order of time, and no more than an
// answer may have.

namespace {

using namespace footfall;

/// Two series, of one time in part.
std::vector<kairos::Read> series_from(kairos::Time from) {
    std::vector<kairos::Read> series(2);
    series[0].tags = {{"host", "a"}};
    series[1].tags = {{"host", "b"}, {"dc", "x"}};
    constexpr kairos::Time step = 777'777;
    for (int at = 0; at < 50; ++at) {
        const kairos::Time time = from + at * step;
        series[0].points.push_back({.time = time, .value = at * 1.5});
        series[1].points.push_back({.time = time + at % 2, .value = -at / 3.0});
    }
    return series;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto query = kairos::parse_query(
        {reinterpret_cast<const char*>(data), std::min(size, kairos::query_bytes_max)},
        1'796'040'000'000
    );
    if (!query) {
        return 0;
    }
    for (const kairos::MetricQuery& metric : query->metrics) {
        const auto answer = kairos::evaluate(
            metric, query->from, query->zone, series_from(query->from), std::stop_token{}
        );
        if (!answer) {
            continue;
        }
        CHECK(answer->groups.size() <= kairos::groups_max, "more groups than are allowed");
        for (const kairos::Group& group : answer->groups) {
            const auto is_in_order = [](auto points) {
                return std::ranges::is_sorted(points, {}, &series::Point::time);
            };
            kairos::Points points = group.points;
            if (metric.descending) {
                std::ranges::reverse(points);
            }
            CHECK(is_in_order(points), "points out of order");
        }
        std::string json;
        kairos::append_json(metric, *answer, json);
    }
    return 0;
}
