#pragma once

#include "http_server/router.h"
#include "runtime/blocking_pool.h"
#include "runtime/task.h"
#include "storage/store.h"
#include "timeseries/time_series.h"
#include "timeseries_routes/remote_write.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>

namespace footfall::timeseries::routes {

/// Points that are posted. POST /api/v1/datapoints: as KairosDB takes them, plain or gzip, all of a
/// request or none. POST /api/v1/write: as Prometheus sends them, who never sends again what was
/// refused, so what can be taken of a request is, and the answer says what was not. On threads of
/// its own, which wait first where the store is about to slow down all writes; the answer leaves
/// when the points are durable.
///
/// Thread-safe. `series` and `store` must outlive it.
class PointIntake {
public:
    PointIntake(TimeSeries& series, storage::Store& store, std::size_t threads);
    PointIntake(const PointIntake&) = delete;
    PointIntake& operator=(const PointIntake&) = delete;
    ~PointIntake() = default;

    runtime::Task<> take_kairos(http_server::Exchange* exchange);
    runtime::Task<> take_remote_write(http_server::Exchange* exchange);

    /// Points that were durable.
    std::uint64_t durable_points() const { return durable_->load(std::memory_order_relaxed); }

    /// Samples of Prometheus that were no values, and what it sent that is not kept.
    std::uint64_t nans() const { return nans_.load(std::memory_order_relaxed); }

    std::uint64_t histograms() const { return histograms_.load(std::memory_order_relaxed); }

    /// Samples of series whose labels make no name.
    std::uint64_t unnamed() const { return unnamed_.load(std::memory_order_relaxed); }

    /// Refuses what waits for its turn, and what comes from then on. Idempotent.
    void refuse_waiting() { pool_.refuse_waiting(); }

    /// Ends what is under way, and takes no more. Idempotent.
    void stop();

private:
    using TakeNow = http_server::Response (PointIntake::*)(const http_server::Request&);

    runtime::Task<> take(http_server::Exchange* exchange, TakeNow now);
    http_server::Response take_kairos_now(const http_server::Request& request);
    http_server::Response take_remote_write_now(const http_server::Request& request);
    http_server::Response write_kairos(std::span<const PointOf> points);
    http_server::Response write_remote(const RemoteWrite& write);
    void count_when_durable(const Taken& taken);

    TimeSeries* series_;
    storage::Store* store_;
    std::stop_source stopping_;
    /// Of what the store has yet to say it may be told when this is gone.
    std::shared_ptr<std::atomic<std::uint64_t>> durable_ =
        std::make_shared<std::atomic<std::uint64_t>>(0);
    std::atomic<std::uint64_t> nans_ = 0;
    std::atomic<std::uint64_t> histograms_ = 0;
    std::atomic<std::uint64_t> unnamed_ = 0;
    runtime::BlockingPool pool_;  // last: it ends before what it uses
};

}  // namespace footfall::timeseries::routes
