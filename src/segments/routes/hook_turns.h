#pragma once

#include "foundation/clock.h"
#include "foundation/result.h"
#include "foundation/seldom_log.h"
#include "metrics/figures.h"
#include "runtime/turns.h"
#include "segments/erasing.h"
#include "segments/segments.h"
#include "segments_routes/segment_changes.h"
#include "storage/store.h"
#include "webhooks/deliveries.h"
#include "webhooks/poster.h"

#include <array>
#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <stop_token>

namespace footfall::segments::routes {

/// By segment the webhooks that are sent its changes, and how far each is; those that were given up
/// are none. Blocks.
Result<Erasing::Hearers> read_hearers(storage::Store& store);

/// Sends changes of segments to webhooks, where segments are derived: one process of a deployment.
/// Some threads send side by side, so that a receiver that answers slowly holds up few others.
///
/// Thread-safe. What it is given must outlive it, and the store be open until stop().
class HookTurns {
public:
    HookTurns(Segments& segments, storage::Store& store, const Clock& clock, webhooks::Reach reach);
    HookTurns(const HookTurns&) = delete;
    HookTurns& operator=(const HookTurns&) = delete;

    ~HookTurns() { stop(); }

    void start();

    /// Ends the threads; a request under way is broken off, and sent again after the next start.
    /// Idempotent.
    void stop();

    void tell(metrics::Figures& figures) const;

private:
    static constexpr std::size_t threads = 4;

    std::chrono::milliseconds turn(std::size_t thread, const std::stop_token& stop);
    Result<std::chrono::milliseconds> take_turn(std::size_t thread, const std::stop_token& stop);

    const Segments* segments_;
    const webhooks::Reach reach_;
    SegmentChanges changes_;
    webhooks::Deliveries deliveries_;
    std::chrono::steady_clock::time_point refreshed_;  ///< By the first thread.
    SeldomLog troubles_{std::chrono::minutes{1}};
    /// Of a thread each.
    std::array<std::unique_ptr<webhooks::Poster>, threads> posters_;
    std::array<std::optional<runtime::Turns>, threads> turns_;  // last: ends before what it uses
};

}  // namespace footfall::segments::routes
