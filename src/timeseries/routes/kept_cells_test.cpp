// What is answered of times of which points are not kept any more, by cells.

#include "timeseries/sealing.h"
#include "timeseries_routes/kairos_routes.h"
#include "timeseries_routes/render_routes.h"
#include "timeseries_routes/test_metrics.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace footfall::timeseries::routes {
namespace {

using http_server::Response;
using testing::HasSubstr;

constexpr std::int64_t hour = 3600;
constexpr int days_written = 400;
constexpr std::int64_t points_every = 9700;

/// What is written at so many seconds after the start: no two hours are alike.
double value_at(std::int64_t after) {
    return static_cast<double>(after % 7919) / 4;
}

/// More than a year of points of two series, sealed as they come.
class KeptCells : public testing::Test {
protected:
    static void SetUpTestSuite() {
        metrics = std::make_unique<TestMetrics>();
        add_render_routes(metrics->door, metrics->sources());
        add_kairos_routes(
            metrics->door,
            {.series = &metrics->series,
             .intake = nullptr,
             .clock = &metrics->clock,
             .lookups = &metrics->pool,
             .surveys = &metrics->pool}
        );
        Sealing sealing{metrics->store, metrics->clock, [](SeriesId id) {
                            return metrics->series.resolutions_of(id);
                        }};
        std::int64_t after = 0;
        for (; after < days_written * 24 * hour; after += points_every) {
            std::vector<NamedPoint> points;
            for (const std::int64_t later : {0, 600, 1800}) {
                for (const char* const name : {"web.a", "web.b;dc=x"}) {
                    points.push_back(
                        {.name = name,
                         .point =
                             {.time = (TestMetrics::start + after + later) * 1000,
                              .value = value_at(after + later)}}
                    );
                }
                cells[(TestMetrics::start + after + later) / hour].push_back(value_at(after + later)
                );
            }
            const auto taken = metrics->series.write(points);
            CHECK(taken && taken->points == points.size(), "points are taken");
            metrics->clock.advance(std::chrono::seconds{points_every});
            CHECK(sealing.seal({}), "hours are sealed");
        }
        metrics->store.reclaim();
    }

    static void TearDownTestSuite() {
        metrics.reset();
        cells.clear();
    }

    static std::int64_t now() {
        return std::chrono::floor<std::chrono::seconds>(metrics->clock.now())
            .time_since_epoch()
            .count();
    }

    using Fold = double (*)(const std::vector<double>&);

    static double mean(const std::vector<double>& values) {
        return sum(values) / static_cast<double>(values.size());
    }

    static double sum(const std::vector<double>& values) {
        double sum = 0;
        for (const double value : values) {
            sum += value;
        }
        return sum;
    }

    /// The datapoints of a graph of the hours that begin behind `from`, by hand.
    static std::string datapoints_by_hand(std::int64_t from, Fold fold) {
        std::string json = "\"datapoints\":[";
        for (std::int64_t at = from / hour + 1; at <= now() / hour; ++at) {
            const auto found = cells.find(at);
            json += json.back() == '[' ? "[" : ",[";
            json += found == cells.end() ? "null" : fmt::format("{}", fold(found->second));
            json += fmt::format(",{}]", at * hour);
        }
        return json + "]";
    }

    static void expect_drawn(std::string_view target, std::int64_t from, Fold fold) {
        const std::string expected = datapoints_by_hand(from, fold);
        EXPECT_GT(std::ranges::count(expected, '['), 8700);
        const Response got =
            metrics->get("/render", fmt::format("target={}&from={}", target, from));
        EXPECT_EQ(got.status, 200) << got.body.substr(0, 500);
        EXPECT_TRUE(got.body.contains(expected)) << target << got.body.substr(0, 1000);
    }

    static inline std::unique_ptr<TestMetrics> metrics;
    static inline std::map<std::int64_t, std::vector<double>> cells;  ///< Values by hour.
};

TEST_F(KeptCells, a_year_is_drawn_from_hours) {
    const std::int64_t from = now() - std::int64_t{365} * 24 * hour;
    expect_drawn("web.a", from, mean);
    expect_drawn("seriesByTag('dc=x')", from, mean);
    expect_drawn("consolidateBy(web.a,'sum')", from, sum);
    expect_drawn("consolidateBy(web.a,'min')", from, [](const auto& values) {
        return std::ranges::min(values);
    });
    expect_drawn("web.a|consolidateBy('max')", from, [](const auto& values) {
        return std::ranges::max(values);
    });
    expect_drawn("consolidateBy(web.*,'last')", from, [](const auto& values) {
        return values.back();
    });
    expect_drawn("consolidateBy(web.a,'count')", from, [](const auto& values) {
        return static_cast<double>(values.size());
    });
}

/// A function that changes nothing keeps values from being put together as they are read.
TEST_F(KeptCells, fewer_values_are_the_same_whenever_they_are_put_together) {
    const auto datapoints = [](std::string_view target, std::string_view rest) {
        const Response got = metrics->get("/render", fmt::format("target={}&{}", target, rest));
        EXPECT_EQ(got.status, 200) << got.body;
        std::string all;
        for (std::size_t at = 0; (at = got.body.find("[[", at)) != std::string::npos; ++at) {
            all += got.body.substr(at, got.body.find("]]", at) - at);
        }
        return all;
    };
    for (const int days : {1, 3, 88, 200, 365}) {
        for (const int most : {1, 2, 3, 50, 999, 1000}) {
            const std::string rest =
                fmt::format("from={}&maxDataPoints={}", now() - days * 24 * hour - 777, most);
            for (const std::string by : {"average", "sum", "min", "last", "count", "median"}) {
                const std::string shown =
                    datapoints(fmt::format("consolidateBy(web.*,'{}')", by), rest);
                EXPECT_FALSE(shown.empty());
                EXPECT_EQ(
                    shown, datapoints(fmt::format("consolidateBy(scale(web.*,1),'{}')", by), rest)
                );
            }
            EXPECT_EQ(datapoints("alias(web.a,'x')", rest), datapoints("scale(web.a,1)", rest));
            EXPECT_EQ(
                datapoints("consolidateBy(consolidateBy(web.a,'sum'),'max')", rest),
                datapoints("consolidateBy(scale(consolidateBy(web.a,'sum'),1),'max')", rest)
            );
        }
    }
}

TEST_F(KeptCells, what_points_are_kept_of_is_drawn_from_points) {
    const Response got = metrics->get(
        "/render", fmt::format("target=web.a&format=raw&from={}", now() - 89 * 24 * hour)
    );
    EXPECT_THAT(got.body.substr(0, 100), HasSubstr(",10|"));
    const Response coarser = metrics->get(
        "/render", fmt::format("target=web.a&format=raw&from={}", now() - 91 * 24 * hour)
    );
    EXPECT_THAT(coarser.body.substr(0, 100), HasSubstr(",300|"));
}

TEST_F(KeptCells, more_values_than_are_allowed_are_drawn_from_cells) {
    // 89 days of two series are 1,537,920 steps of points.
    const Response got = metrics->get(
        "/render",
        fmt::format("target=web.*&target=web.a&format=raw&from={}", now() - 89 * 24 * hour)
    );
    EXPECT_EQ(got.status, 200) << got.body;
    const Response both = metrics->get(
        "/render",
        fmt::format(
            "target=sumSeries(web.a,seriesByTag('dc=x'))&format=raw&from={}", now() - 89 * 24 * hour
        )
    );
    EXPECT_EQ(both.status, 200) << both.body;
    EXPECT_THAT(both.body, HasSubstr(",300|"));
}

TEST_F(KeptCells, kairos_asks_the_figure_that_its_aggregator_wants) {
    const std::int64_t from = (now() - std::int64_t{365} * 24 * hour) / hour * hour;
    const std::int64_t until = from + 40 * 24 * hour;
    std::vector<double> all;
    for (auto at = cells.lower_bound(from / hour); at->first < until / hour; ++at) {
        all.insert(all.end(), at->second.begin(), at->second.end());
    }
    const auto asked = [&](std::string_view aggregator) {
        return metrics
            ->post(
                "/api/v1/datapoints/query",
                fmt::format(
                    R"({{"start_absolute":{},"end_absolute":{},"metrics":[{{"name":"web.b","aggregators":[{}]}}]}})",
                    from * 1000,
                    until * 1000 - 1,
                    aggregator
                ),
                {},
                "application/json"
            )
            .body;
    };
    const auto whole = [](std::string_view name) {
        return fmt::format(
            R"({{"name":"{}","sampling":{{"value":10,"unit":"years"}},"align_start_time":true}})",
            name
        );
    };
    const auto value = [](double expected) { return HasSubstr(fmt::format(",{}]]", expected)); };
    EXPECT_THAT(asked(whole("min")), value(std::ranges::min(all)));
    EXPECT_THAT(asked(whole("max")), value(std::ranges::max(all)));
    EXPECT_THAT(asked(whole("sum")), value(sum(all)));
    EXPECT_THAT(asked(whole("count")), value(static_cast<double>(all.size())));
    EXPECT_THAT(asked(whole("last")), value(all.back()));
}

}  // namespace
}  // namespace footfall::timeseries::routes
