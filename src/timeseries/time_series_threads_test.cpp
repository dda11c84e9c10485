#include "storage/memory_store.h"
#include "timeseries/test_place.h"
#include "timeseries/time_series.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <thread>
#include <vector>

namespace footfall::timeseries {
namespace {

/// Each thread writes series of its own and one that all write, while others look.
TEST(TimeSeriesThreads, write_and_find_at_once) {
    constexpr int writers = 3;
    constexpr int batches = 60;
    const ManualClock clock{start};
    storage::MemoryStore store{tables, clock};
    TimeSeries series{store, clock, {.secret = {.k0 = 1, .k1 = 2}, .writer = 1}};
    {
        std::vector<std::jthread> threads;
        threads.reserve(writers + 1);
        for (int writer = 0; writer < writers; ++writer) {
            threads.emplace_back([&series, writer] {
                for (int batch = 0; batch < batches; ++batch) {
                    const auto time = start_ms - (batch * writers + writer) * 1000;
                    const auto own = "own" + std::to_string(writer) + "." + std::to_string(batch);
                    EXPECT_TRUE(series.write(std::vector<NamedPoint>{
                        {.name = own, .point = {.time = time, .value = 1}},
                        {.name = "all", .point = {.time = time, .value = 2}}
                    }));
                }
            });
        }
        threads.emplace_back([&series] {
            const auto pattern = series::Glob::parse("own*.*");
            for (int round = 0; round < batches; ++round) {
                EXPECT_TRUE(series.find(*pattern, 1000));
                EXPECT_TRUE(series.read("all", start_ms - 1'000'000, start_ms));
                series.forget_expired();
            }
        });
    }
    EXPECT_EQ(series.series(), writers * batches + 1);
    const auto points = series.read("all", start_ms - 1'000'000, start_ms + 1);
    ASSERT_TRUE(points);
    EXPECT_EQ(points->size(), writers * batches);
    EXPECT_EQ(series.audit(0).booked, series.audit(0).counted);
}

}  // namespace
}  // namespace footfall::timeseries
