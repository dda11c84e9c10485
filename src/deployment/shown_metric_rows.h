#pragma once

#include "deployment/shown_identity_rows.h"
#include "series/block.h"
#include "series/cell.h"
#include "storage/value.h"

#include <chrono>
#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

namespace footfall::deployment {

/// A row of each table of metrics, as docs/formats/tables.md has it. For a test.
inline void add_metric_rows(
    const OfShownRows& of, std::map<std::string_view, std::vector<storage::Value>>& rows
) {
    constexpr std::int64_t number = -4'410'092'377'164'053'221;
    const std::vector<series::Point> points{
        {.time = of.ten / 1000, .value = 0.25}, {.time = of.ten / 1000 + 10'000, .value = 0.5}
    };
    rows["point_block"] = {
        number,
        std::int64_t{20'778},
        std::int64_t{0},
        of.ten,
        of.ten,
        std::int64_t{7'165'430},
        series::encode(points),
        of.late
    };
    rows["point_cells"] = {
        number,
        std::int64_t{20'768},
        std::int64_t{3'600},
        of.ten,
        of.ten,
        std::int64_t{7'165'430},
        series::encode_cells(
            series::cells_of(points, std::chrono::milliseconds{std::chrono::hours{1}}.count())
        ),
        of.late
    };
    rows["unsealed_hour"] = {of.ten, std::int64_t{11}, number, of.ten, of.late};
    rows["series"] = {"disk.used", "dc=ams;host=a", number, of.late};
}

}  // namespace footfall::deployment
