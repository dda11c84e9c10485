#pragma once

#include "api/test_world.h"
#include "foundation/check.h"
#include "foundation/clock.h"
#include "runtime/blocking_pool.h"
#include "storage/memory_store.h"
#include "timeseries/schema.h"
#include "timeseries/time_series.h"
#include "timeseries_routes/graphite_sources.h"

#include <array>
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::timeseries::routes {

/// A metrics store in memory, and the routes that are added to its door.
class TestMetrics {
public:
    static constexpr std::int64_t start = 1'796'040'000;

    GraphiteSources sources() {
        return {.series = &series, .clock = &clock, .lookups = &pool, .surveys = &pool};
    }

    /// A point of each series, so many seconds before now.
    void write(const std::vector<std::string>& names, double value, std::int64_t ago = 0) {
        std::vector<NamedPoint> points;
        points.reserve(names.size());
        for (const std::string& name : names) {
            points.push_back({.name = name, .point = {.time = (start - ago) * 1000, .value = value}}
            );
        }
        const auto taken = series.write(points);
        CHECK(taken && taken->points == points.size(), "points are taken");
    }

    http_server::Response get(std::string_view path, std::string_view query = {}) {
        http_server::Request request;
        request.method = http_server::Method::get;
        return ask(std::move(request), path, query);
    }

    http_server::Response post(
        std::string_view path,
        std::string_view form,
        std::string_view query = {},
        std::string_view type = "application/x-www-form-urlencoded"
    ) {
        http_server::Request request;
        request.method = http_server::Method::post;
        request.body = form;
        request.headers.emplace_back("Content-Type", type);
        return ask(std::move(request), path, query);
    }

    static constexpr std::array<const storage::Table*, 4> tables{
        &point_block_table, &point_cells_table, &series_table, &unsealed_hour_table
    };

    ManualClock clock{Instant{std::chrono::seconds{start}}};
    storage::MemoryStore store{tables, clock};
    TimeSeries series{store, clock, {.secret = {.k0 = 1, .k1 = 2}, .writer = 1}};
    api::WaitingRouter waiting;  // outlives the pool, whose thread may still hand over an answer
    runtime::BlockingPool pool{1, 1};
    api::KeyWorld keys;
    api::FrontDoor door{waiting.router, keys.keeper};

private:
    http_server::Response ask(
        http_server::Request request, std::string_view path, std::string_view query
    ) {
        request.path = path;
        request.query = query;
        request.peer = "127.0.0.1";
        request.known.host = "localhost";
        request.known.hosts = 1;
        return waiting.ask(std::move(request));
    }
};

}  // namespace footfall::timeseries::routes
