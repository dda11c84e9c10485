#include "series/cell.h"

#include "foundation/random.h"
#include "foundation/varint.h"
#include "foundation_testing/rounds.h"
#include "foundation_testing/test_seed.h"
#include "series/block.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <vector>

namespace footfall::series {
namespace {

constexpr std::int64_t minute = 60'000;

/// Whole numbers, whose sums are the same in whatever order.
std::vector<Point> whole_points(Random& random) {
    std::vector<Point> points;
    std::int64_t time = -static_cast<std::int64_t>(random.below(1'000'000));
    for (std::uint64_t left = random.below(300); left > 0; --left) {
        time += 1 + static_cast<std::int64_t>(random.below(20'000));
        points.push_back({.time = time, .value = static_cast<double>(random.below(100)) - 50});
        if (random.below(5) == 0) {
            points.back().value = std::numeric_limits<double>::quiet_NaN();
        }
    }
    return points;
}

/// By the definition: all values of each step.
std::vector<Cell> plain_cells(const std::vector<Point>& points, std::int64_t step) {
    std::map<std::int64_t, std::vector<double>> values;
    for (const Point& point : points) {
        if (!std::isnan(point.value)) {
            const auto begins = static_cast<std::int64_t>(
                std::floor(static_cast<double>(point.time) / static_cast<double>(step))
            );
            values[begins * step].push_back(point.value);
        }
    }
    std::vector<Cell> cells;
    for (const auto& [time, all] : values) {
        double sum = 0;
        for (const double value : all) {
            sum += value;
        }
        cells.push_back(
            {.time = time,
             .min = std::ranges::min(all),
             .max = std::ranges::max(all),
             .sum = sum,
             .count = all.size(),
             .last = all.back()}
        );
    }
    return cells;
}

TEST(Cells, are_what_the_points_of_each_step_come_to) {
    Random random{test_seed()};
    SCOPED_TRACE(test_seed());
    for (std::uint64_t round = 0; round < rounds(500); ++round) {
        const std::vector<Point> points = whole_points(random);
        const std::vector<Cell> fine = cells_of(points, minute);
        EXPECT_EQ(fine, plain_cells(points, minute));
        EXPECT_EQ(coarser(fine, 60 * minute), plain_cells(points, 60 * minute));
    }
}

TEST(Cells, come_back_as_they_were) {
    Random random{test_seed()};
    SCOPED_TRACE(test_seed());
    for (std::uint64_t round = 0; round < rounds(300); ++round) {
        const std::vector<Cell> cells = cells_of(whole_points(random), 10'000);
        const std::string bytes = encode_cells(cells);
        std::vector<Cell> back;
        ASSERT_TRUE(decode_cells(bytes, back));
        EXPECT_EQ(back, cells);
        for (const Figure figure :
             {Figure::average, Figure::min, Figure::max, Figure::sum, Figure::count, Figure::last
             }) {
            std::vector<Point> points{{.time = 1, .value = 2}};
            ASSERT_TRUE(decode_figure(bytes, figure, points));
            ASSERT_EQ(points.size(), 1 + cells.size());
            EXPECT_EQ(points[0].value, 2);
            for (std::size_t at = 0; at < cells.size(); ++at) {
                EXPECT_EQ(points[1 + at].time, cells[at].time);
                EXPECT_EQ(points[1 + at].value, figure_of(cells[at], figure));
            }
        }
        std::string damaged = bytes;
        const std::size_t at = random.below(damaged.size());
        damaged[at] = static_cast<char>(damaged[at] ^ (1 << random.below(8)));
        EXPECT_FALSE(decode_cells(damaged, back)) << at;
        EXPECT_FALSE(decode_cells(std::string_view{bytes}.substr(0, at), back));
        EXPECT_FALSE(decode_cells(bytes + '\0', back));
        std::vector<Point> points{{.time = 1, .value = 2}};
        EXPECT_FALSE(decode_figure(bytes + '\0', Figure::average, points));
        EXPECT_FALSE(decode_figure(std::string_view{bytes}.substr(0, at), Figure::average, points));
        EXPECT_EQ(points.size(), 1);
        EXPECT_EQ(back, cells);
    }
}

TEST(Cells, a_mean_is_of_sums_and_counts_of_the_same_times) {
    const auto cells_with = [](std::int64_t count_time, double count) {
        std::string bytes{"\1"};
        for (std::size_t figure = 0; figure < 5; ++figure) {
            const bool is_count = figure == 3;
            const std::string block = encode(std::vector<Point>{
                {.time = is_count ? count_time : minute, .value = is_count ? count : 6}
            });
            append_varint(block.size(), bytes);
            bytes += block;
        }
        return bytes;
    };
    std::vector<Point> points;
    ASSERT_TRUE(decode_figure(cells_with(minute, 4), Figure::average, points));
    ASSERT_EQ(points.size(), 1);
    EXPECT_EQ(points[0].value, 1.5);
    for (const auto& bytes :
         {cells_with(2 * minute, 4), cells_with(minute, 0), cells_with(minute, 1.5)}) {
        EXPECT_FALSE(decode_figure(bytes, Figure::average, points));
        std::vector<Cell> cells;
        EXPECT_FALSE(decode_cells(bytes, cells));
        EXPECT_TRUE(cells.empty());
    }
    EXPECT_FALSE(decode_figure(cells_with(minute, 0), Figure::count, points));
    EXPECT_EQ(points.size(), 1);
}

TEST(Cells, infinities_are_numbers_and_nan_is_none) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const std::vector<Cell> cells = cells_of(
        std::vector<Point>{
            {.time = 0, .value = nan},
            {.time = minute, .value = infinity},
            {.time = minute + 1, .value = 3},
            {.time = minute + 2, .value = nan}
        },
        minute
    );
    const Cell only{
        .time = minute, .min = 3, .max = infinity, .sum = infinity, .count = 2, .last = 3
    };
    EXPECT_EQ(cells, std::vector<Cell>{only});
    std::vector<Cell> back;
    ASSERT_TRUE(decode_cells(encode_cells(cells), back));
    EXPECT_EQ(back, cells);
}

}  // namespace
}  // namespace footfall::series
