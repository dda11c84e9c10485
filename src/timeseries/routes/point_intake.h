#pragma once

#include "http_server/router.h"
#include "runtime/blocking_pool.h"
#include "runtime/task.h"
#include "storage/store.h"
#include "timeseries/time_series.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>

namespace footfall::timeseries::routes {

/// POST /api/v1/datapoints: points as KairosDB takes them, plain or gzip, all of a request or none.
/// On threads of its own, which wait first where the store is about to slow down all writes; the
/// answer leaves when the points are durable.
///
/// Thread-safe. `series` and `store` must outlive it.
class KairosIntake {
public:
    KairosIntake(TimeSeries& series, storage::Store& store, std::size_t threads);
    KairosIntake(const KairosIntake&) = delete;
    KairosIntake& operator=(const KairosIntake&) = delete;
    ~KairosIntake() = default;

    runtime::Task<> take(http_server::Exchange* exchange);

    /// Points that were durable.
    std::uint64_t durable_points() const { return durable_->load(std::memory_order_relaxed); }

    /// Refuses what waits for its turn, and what comes from then on. Idempotent.
    void refuse_waiting() { pool_.refuse_waiting(); }

    /// Ends what is under way, and takes no more. Idempotent.
    void stop();

private:
    http_server::Response take_now(const http_server::Request& request);
    http_server::Response write(std::span<const PointOf> points);

    TimeSeries* series_;
    storage::Store* store_;
    std::stop_source stopping_;
    /// Of what the store has yet to say it may be told when this is gone.
    std::shared_ptr<std::atomic<std::uint64_t>> durable_ =
        std::make_shared<std::atomic<std::uint64_t>>(0);
    runtime::BlockingPool pool_;  // last: it ends before what it uses
};

}  // namespace footfall::timeseries::routes
