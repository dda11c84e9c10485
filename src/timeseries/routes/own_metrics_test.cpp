#include "timeseries_routes/own_metrics.h"

#include "storage/memory_store.h"
#include "timeseries/schema.h"

#include <gmock/gmock.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace footfall::timeseries::routes {
namespace {

using namespace std::chrono_literals;

constexpr std::array<const storage::Table*, 4> own_tables{
    &point_block_table, &point_cells_table, &series_table, &unsealed_hour_table
};
constexpr std::int64_t full_ms = 1'796'040'000'000;

class OwnMetricsTest : public testing::Test {
protected:
    std::vector<double> values(const std::string& name) {
        const auto points = series_.read("footfall.shop-1." + name, 0, INT64_MAX);
        EXPECT_TRUE(points);
        std::vector<double> values;
        for (const series::Point& each : points.value_or(std::vector<series::Point>{})) {
            EXPECT_EQ(each.time % 10'000, 0);
            values.push_back(each.value);
        }
        return values;
    }

    ManualClock clock_{Instant{std::chrono::milliseconds{full_ms + 4'000}}};
    storage::MemoryStore store_{own_tables, clock_};
    TimeSeries series_{store_, clock_, {.secret = {.k0 = 1, .k1 = 2}, .writer = 1}};
    metrics::Metrics metrics_;
    OwnMetrics own_{series_, clock_, store_, "shop-1", [this] { return metrics_.samples(); }};
};

TEST_F(OwnMetricsTest, are_a_point_each_ten_seconds) {
    const metrics::Counter counter =
        metrics_.counter("footfall_test_total", "Things.", {{"kind", "a b/c"}});
    counter.add(2);
    EXPECT_EQ(own_.turn(), 6s);
    clock_.advance(1s);
    EXPECT_EQ(own_.turn(), 5s) << "once is enough";
    clock_.advance(5s);
    counter.add(3);
    EXPECT_EQ(own_.turn(), 10s);
    EXPECT_THAT(values("test_total.a_b_c"), testing::ElementsAre(2, 5));
    EXPECT_EQ(series_.durable_points(), 2);
}

TEST_F(OwnMetricsTest, of_times_are_those_of_the_ten_seconds) {
    const metrics::Histogram times =
        metrics_.histogram("footfall_test_seconds", "Time.", {1, 2, 4});
    for (int left = 100; left > 0; --left) {
        times.observe(0.5);
    }
    own_.turn();
    clock_.advance(10s);
    own_.turn();
    clock_.advance(10s);
    for (int left = 98; left > 0; --left) {
        times.observe(1.5);
    }
    times.observe(3);
    times.observe(9);
    own_.turn();
    EXPECT_THAT(values("test_seconds.count"), testing::ElementsAre(100, 100, 200));
    EXPECT_THAT(
        values("test_seconds.p50"),
        testing::ElementsAre(
            testing::DoubleNear(0.5, 1e-9), testing::DoubleNear(1 + 50.0 / 98, 1e-9)
        )
    );
    EXPECT_THAT(
        values("test_seconds.p99"),
        testing::ElementsAre(testing::DoubleNear(0.99, 1e-9), testing::DoubleNear(4, 1e-9))
    );
}

TEST_F(OwnMetricsTest, of_what_is_above_all_bounds_the_last_one_is_told) {
    metrics_.histogram("footfall_test_seconds", "Time.", {1, 2}).observe(9);
    own_.turn();
    EXPECT_THAT(values("test_seconds.p50"), testing::ElementsAre(2));
}

TEST_F(OwnMetricsTest, a_thread_of_theirs_ends_when_it_is_told) {
    metrics_.gauge("footfall_test_bytes", "Bytes.").set(7);
    own_.start();
    while (series_.durable_points() == 0) {
        std::this_thread::yield();
    }
    own_.stop();
    EXPECT_THAT(values("test_bytes"), testing::ElementsAre(7));
}

}  // namespace
}  // namespace footfall::timeseries::routes
