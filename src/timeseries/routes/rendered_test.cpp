#include "timeseries_routes/rendered.h"

#include "foundation/random.h"
#include "foundation_testing/rounds.h"
#include "foundation_testing/test_seed.h"
#include "series/cell.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace footfall::timeseries::routes {
namespace {

using Values = std::vector<std::optional<double>>;

TEST(Rendered, has_the_last_of_each_step_that_begins_after_from) {
    const Steps steps = steps_between(100, 140, 10);
    EXPECT_EQ(steps.start, 110);
    EXPECT_EQ(steps.count, 4);
    EXPECT_EQ(steps_between(95, 141, 10).start, 100);
    EXPECT_EQ(steps_between(95, 141, 10).count, 5);
    const std::vector<series::Point> points{
        {.time = 109'999, .value = 1},
        {.time = 110'000, .value = 2},
        {.time = 119'999, .value = 3},
        {.time = 120'000, .value = std::nan("")},
        {.time = 140'000, .value = 4},
        {.time = 150'000, .value = 5}
    };
    EXPECT_EQ(render(points, steps, 10).values, (Values{3, std::nullopt, std::nullopt, 4}));
}

/// By the definition: of each step what comes last and is a number.
TEST(Rendered, points_are_put_into_steps_wherever_they_are) {
    Random random{test_seed()};
    SCOPED_TRACE(test_seed());
    for (std::uint64_t round = 0; round < rounds(1000); ++round) {
        const auto step = static_cast<std::int64_t>(1 + random.below(20));
        const Steps steps{
            .start = static_cast<std::int64_t>(random.below(100)) * step,
            .count = static_cast<std::int64_t>(random.below(40))
        };
        std::vector<series::Point> points;
        std::map<std::int64_t, double> last;
        auto time = static_cast<std::int64_t>(random.below(2'000'000));
        for (std::uint64_t left = random.below(60); left > 0; --left) {
            const bool is_number = random.below(4) > 0;
            const double value = is_number ? static_cast<double>(left) : std::nan("");
            points.push_back({.time = time, .value = value});
            if (is_number) {
                last[time / 1000 / step * step] = value;
            }
            time +=
                1 + static_cast<std::int64_t>(random.below(random.below(4) == 0 ? 200'000 : 2'000));
        }
        Values expected;
        for (std::int64_t at = 0; at < steps.count; ++at) {
            const auto found = last.find(steps.start + at * step);
            expected.push_back(found == last.end() ? std::nullopt : std::optional{found->second});
        }
        const Rendered rendered = render(points, steps, step);
        EXPECT_EQ(rendered.values, expected);
        const auto most = static_cast<std::int64_t>(1 + random.below(20));
        if (most < steps.count) {
            const Rendered means =
                consolidated(rendered, most, *graphite::aggregation_named("average"));
            const Rendered at_once = render_means(points, steps, step, most);
            EXPECT_EQ(at_once.start, means.start);
            EXPECT_EQ(at_once.step, means.step);
            EXPECT_EQ(at_once.values, means.values);
        }
    }
}

TEST(Rendered, as_json_is_what_graphite_writes) {
    std::string json;
    append_json(
        "disk;host=\"a\"",
        tags_of("disk;host=\"a\""),
        {.start = 10,
         .step = 5,
         .values = {1, std::nullopt, 0.1, std::numeric_limits<double>::infinity()}},
        json
    );
    EXPECT_EQ(
        json,
        R"({"target":"disk;host=\"a\"","tags":{"host":"\"a\"","name":"disk"},)"
        R"("datapoints":[[1,10],[null,15],[0.1,20],[1e9999,25]]})"
    );
}

/// By the definition: the mean of all values whose time is in the span.
Values plain_means(
    const Rendered& rendered, std::int64_t start, std::int64_t span, std::size_t count
) {
    std::map<std::int64_t, std::pair<double, double>> sums;
    std::int64_t time = rendered.start;
    for (const auto& value : rendered.values) {
        if (value) {
            auto& [sum, values] = sums[time / span];
            sum += *value;
            values += 1;
        }
        time += rendered.step;
    }
    Values means;
    for (std::size_t at = 0; at < count; ++at) {
        const auto found = sums.find(start / span + static_cast<std::int64_t>(at));
        means.push_back(
            found == sums.end() ? std::nullopt
                                : std::optional{found->second.first / found->second.second}
        );
    }
    return means;
}

TEST(Rendered, neighbours_are_put_together_where_there_are_too_many) {
    Random random{test_seed()};
    SCOPED_TRACE(test_seed());
    for (std::uint64_t round = 0; round < rounds(1000); ++round) {
        Rendered rendered{
            .start = static_cast<std::int64_t>(random.below(1000)) * 10, .step = 10, .values = {}
        };
        for (std::uint64_t left = 1 + random.below(300); left > 0; --left) {
            rendered.values.push_back(
                random.below(3) == 0 ? std::nullopt
                                     : std::optional{static_cast<double>(random.below(100))}
            );
        }
        const auto most = static_cast<std::int64_t>(1 + random.below(50));
        const Rendered coarse =
            consolidated(rendered, most, *graphite::aggregation_named("average"));
        if (std::ssize(rendered.values) <= most) {
            EXPECT_EQ(coarse.values, rendered.values);
            continue;
        }
        EXPECT_LE(std::ssize(coarse.values), std::max<std::int64_t>(most, 2));
        EXPECT_EQ(coarse.start % coarse.step, 0);
        EXPECT_LE(coarse.start, rendered.start);
        EXPECT_GE(
            coarse.start + std::ssize(coarse.values) * coarse.step,
            rendered.start + std::ssize(rendered.values) * rendered.step
        );
        EXPECT_EQ(
            coarse.values, plain_means(rendered, coarse.start, coarse.step, coarse.values.size())
        );
    }
}

TEST(Rendered, neighbours_are_what_is_asked_for) {
    const Rendered rendered{.start = 20, .step = 10, .values = {3, std::nullopt, 1, 2}};
    const auto values = [&](std::string_view aggregation) {
        return consolidated(rendered, 2, *graphite::aggregation_named(aggregation)).values;
    };
    EXPECT_EQ(values("max"), (Values{3, 2}));
    EXPECT_EQ(values("min"), (Values{3, 1}));
    EXPECT_EQ(values("sum"), (Values{3, 3}));
    EXPECT_EQ(values("last"), (Values{3, 2}));
}

TEST(Rendered, of_cells_one_figure_is_shown) {
    const std::vector<series::Point> points{
        {.time = 3'600'000, .value = 4},
        {.time = 3'700'000, .value = 1},
        {.time = 3'800'000, .value = 2.5},
        {.time = 10'800'000, .value = 7}
    };
    const auto cells = series::cells_of(points, 3'600'000);
    const auto shown = [&](const Steps& steps, series::Figure figure) {
        std::vector<series::Point> figures;
        EXPECT_TRUE(series::decode_figure(series::encode_cells(cells), figure, figures));
        return render(figures, steps, 3600).values;
    };
    const auto values = [&](series::Figure figure) {
        return shown({.start = 3600, .count = 3}, figure);
    };
    EXPECT_EQ(values(series::Figure::average), (Values{2.5, std::nullopt, 7}));
    EXPECT_EQ(values(series::Figure::min), (Values{1, std::nullopt, 7}));
    EXPECT_EQ(values(series::Figure::max), (Values{4, std::nullopt, 7}));
    EXPECT_EQ(values(series::Figure::sum), (Values{7.5, std::nullopt, 7}));
    EXPECT_EQ(values(series::Figure::count), (Values{3, std::nullopt, 1}));
    EXPECT_EQ(values(series::Figure::last), (Values{2.5, std::nullopt, 7}));
    EXPECT_EQ(shown({.start = 7200, .count = 1}, series::Figure::last), (Values{std::nullopt}));
}

}  // namespace
}  // namespace footfall::timeseries::routes
