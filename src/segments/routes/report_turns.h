#pragma once

#include "foundation/clock.h"
#include "foundation/seldom_log.h"
#include "runtime/turns.h"
#include "segment_reports/daily.h"
#include "segments_routes/asked_people.h"
#include "storage/store.h"

#include <chrono>
#include <optional>
#include <stop_token>

namespace footfall::segments::routes {

/// What a report has of now.
Result<segment_reports::ReportDay> count_report(
    AskedPeople& people, const std::vector<std::string>& segments
);

/// Counts reports when they are due, where segments are derived: one process of a deployment.
/// Thread-safe. What it is given must outlive it, and the store be open until stop().
class ReportTurns {
public:
    ReportTurns(
        const Segments& segments, AskedPeople& people, storage::Store& store, const Clock& clock
    );
    ReportTurns(const ReportTurns&) = delete;
    ReportTurns& operator=(const ReportTurns&) = delete;

    ~ReportTurns() { stop(); }

    void start();

    /// Idempotent.
    void stop() { turns_.reset(); }

private:
    std::chrono::milliseconds turn();

    const Segments* segments_;
    segment_reports::Daily daily_;
    SeldomLog troubles_{std::chrono::minutes{1}};
    std::optional<runtime::Turns> turns_;  // last: ends before what it uses
};

}  // namespace footfall::segments::routes
