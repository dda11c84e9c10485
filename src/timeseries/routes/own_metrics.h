#pragma once

#include "foundation/clock.h"
#include "foundation/result.h"
#include "foundation/seldom_log.h"
#include "metrics/metrics.h"
#include "runtime/turns.h"
#include "storage/store.h"
#include "timeseries/time_series.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace footfall::timeseries::routes {

/// What the program says of itself, as points of the metrics store: once every ten seconds, at full
/// ones. footfall_tokens_total{outcome="new"} is footfall.NAME.tokens_total.new; of a histogram
/// there are .count, and .p50 and .p99 of what was observed since the last time, if anything was:
/// between the bounds of a bucket as if all were as far from each other.
///
/// `series`, `clock` and `store` must outlive it; `samples` is called by a thread of its own, from
/// start() until stop(). Each once, by one thread.
class OwnMetrics {
public:
    using Samples = std::function<std::vector<metrics::Sample>()>;

    static constexpr std::chrono::seconds every{10};

    OwnMetrics(
        TimeSeries& series,
        const Clock& clock,
        storage::Store& store,
        std::string name,
        Samples samples
    );
    OwnMetrics(const OwnMetrics&) = delete;
    OwnMetrics& operator=(const OwnMetrics&) = delete;
    ~OwnMetrics() = default;

    void start();

    void stop() { thread_.reset(); }

    /// A turn of the thread; for tests, without it. Answers after what time the next one is due.
    std::chrono::milliseconds turn();

private:
    using Buckets = std::vector<std::pair<double, std::uint64_t>>;

    std::vector<NamedPoint> points_at(std::int64_t time);
    Result<void> write(const std::vector<NamedPoint>& points);

    TimeSeries* series_;
    const Clock* clock_;
    storage::Store* store_;
    const std::string beginning_;  ///< "footfall.NAME."
    const Samples samples_;
    std::map<std::string, Buckets, std::less<>> before_;  ///< Of each histogram, by its name.
    std::optional<Instant> last_;
    SeldomLog troubles_{std::chrono::minutes{1}};
    std::optional<runtime::Turns> thread_;  // last: it ends before what it uses
};

}  // namespace footfall::timeseries::routes
