#pragma once

#include "api/test_world.h"
#include "foundation/check.h"
#include "foundation/clock.h"
#include "metrics/metrics.h"
#include "runtime/blocking_pool.h"
#include "storage_rocksdb/rocks_store.h"
#include "timeseries/schema.h"
#include "timeseries/time_series.h"
#include "timeseries_routes/render_routes.h"

#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <sys/resource.h>
#include <utility>

namespace footfall::benchmarks {

/// Of this process, all of its threads.
inline double cpu_seconds() {
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    const auto seconds = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
    };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

/// A metrics store on a disk, at a time that is said, and `/render` of it without a network.
class MetricsWorld {
public:
    MetricsWorld(
        const std::string& folder,
        std::int64_t now,
        timeseries::Retention retention,
        runtime::MemoryShare* memory = nullptr
    )
        : clock_{Instant{std::chrono::seconds{now}}},
          store_{open(folder)},
          series_{
              *store_,
              clock_,
              {.secret = {.k0 = 1, .k1 = 2},
               .writer = now,
               .retention = std::move(retention),
               .memory = memory}
          } {
        const auto loaded = series_.load();
        CHECK(loaded.has_value(), "names", loaded.error().message);
        timeseries::routes::add_render_routes(
            door_, {.series = &series_, .clock = &clock_, .lookups = &pool_, .surveys = &pool_}
        );
    }

    MetricsWorld(const MetricsWorld&) = delete;
    MetricsWorld& operator=(const MetricsWorld&) = delete;
    ~MetricsWorld() = default;

    ManualClock& clock() { return clock_; }

    storage_rocksdb::RocksStore& store() { return *store_; }

    timeseries::TimeSeries& series() { return series_; }

    /// What `/render` answers.
    std::string render(std::string_view query) {
        http_server::Request request;
        request.method = http_server::Method::get;
        request.path = "/render";
        request.query = query;
        request.peer = "127.0.0.1";
        request.known.host = "localhost";
        request.known.hosts = 1;
        http_server::Response response = waiting_.ask(std::move(request));
        CHECK(response.status == 200, "an answer", response.body);
        return std::move(response.body);
    }

private:
    static constexpr std::array<const storage::Table*, 4> tables{
        &timeseries::point_block_table,
        &timeseries::point_cells_table,
        &timeseries::series_table,
        &timeseries::unsealed_hour_table
    };

    std::unique_ptr<storage_rocksdb::RocksStore> open(const std::string& folder) {
        auto opened = storage_rocksdb::RocksStore::open(
            {.directory = folder, .tables = {tables.begin(), tables.end()}}, clock_, metrics_
        );
        CHECK(opened.has_value(), "open", opened.error().message);
        return *std::move(opened);
    }

    ManualClock clock_;
    metrics::Metrics metrics_;
    std::unique_ptr<storage_rocksdb::RocksStore> store_;
    timeseries::TimeSeries series_;
    api::WaitingRouter waiting_;
    runtime::BlockingPool pool_{1, 1};
    api::KeyWorld keys_;
    api::FrontDoor door_{waiting_.router, keys_.keeper};
};

}  // namespace footfall::benchmarks
