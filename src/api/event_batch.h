#pragma once

#include "api/collected_event.h"
#include "api/turn_size.h"
#include "foundation/clock.h"
#include "http_server/router.h"
#include "intake/collector.h"
#include "runtime/blocking_pool.h"
#include "runtime/task.h"
#include "storage/store.h"

#include <cstddef>
#include <optional>
#include <stop_token>

namespace footfall::api {

class EventBatchTurns;

/// Takes events that came by HTTP. POST /api/v1/events: events as JSON, NDJSON or CloudEvents,
/// which may be packed with gzip, by the trusted door. On threads of its own, since taking events
/// waits for reads. Batches take turns of about 20 ms each, and give way to single requests as
/// token batches do; a single event, of whatever door, has threads that no batch is on.
///
/// Thread-safe. All must outlive it.
class EventBatches {
public:
    /// `store`: when it is under pressure, batches give way. `threads`: for batches, and as many
    /// for single events.
    EventBatches(
        intake::Collector& collector, storage::Store& store, const Clock& clock, std::size_t threads
    );
    EventBatches(const EventBatches&) = delete;
    EventBatches& operator=(const EventBatches&) = delete;
    ~EventBatches() = default;

    /// Answers how many events were accepted, how many of them were there already, and which lines
    /// were not, and why. A failure of the store answers for the whole batch: events that have an
    /// id may be sent again.
    runtime::Task<> post(http_server::Exchange* exchange);

    /// Takes an event of the public door. The response, which is that of a success, is held until
    /// the event is durable, or becomes that of a failure.
    runtime::Task<> take_one(http_server::Exchange* exchange, CollectedEvent event);

    /// Refuses what waits for its first turn, and what comes from then on. What is begun goes on.
    /// Idempotent.
    void refuse_waiting();

    /// Lets batches under way end early, as failed, and takes no more. Idempotent.
    void stop();

private:
    std::optional<http_server::Response> take_turn(EventBatchTurns& batch, bool gives_way);
    runtime::Task<> hold_until_durable(http_server::Exchange* exchange);

    intake::Collector* collector_;
    storage::Store* store_;
    const Clock* clock_;
    std::stop_source stopping_;
    TurnSize turn_size_;
    runtime::BlockingPool batches_;
    runtime::BlockingPool singles_;
};

}  // namespace footfall::api
