#include "api/event_batch.h"

#include "api/answers.h"
#include "api/batch_pace.h"
#include "api/event_batch_turns.h"
#include "api/on_pool.h"
#include "api/parameters.h"
#include "runtime/await_callback.h"

#include <chrono>
#include <memory>
#include <optional>
#include <utility>

namespace footfall::api {
namespace {

using http_server::Request;
using http_server::Response;

/// Batches that may wait for a thread.
constexpr std::size_t batches_waiting_max = 100;
/// Each takes some tens of microseconds.
constexpr std::size_t singles_waiting_max = 1000;

}  // namespace

EventBatches::EventBatches(
    intake::Collector& collector, storage::Store& store, const Clock& clock, std::size_t threads
)
    : collector_{&collector},
      store_{&store},
      clock_{&clock},
      batches_{threads, batches_waiting_max, runtime::Urgency::work, threads + 1},
      singles_{threads, singles_waiting_max, runtime::Urgency::answers} {}

/// The gate knows the store's positions. Those of a log that stands elsewhere are waited for here.
runtime::Task<> EventBatches::hold_until_durable(http_server::Exchange* exchange) {
    journal::Writer& writer = collector_->writer();
    if (writer.is_in(*store_)) {
        co_return;
    }
    const storage::CommitPosition position = std::exchange(exchange->response().hold_until, 0);
    auto wait = [&](std::move_only_function<void(Result<void>)> done) {
        writer.when_durable(position, std::move(done));
    };
    Result<void> durable = co_await runtime::await_callback<Result<void>>(std::move(wait));
    if (!durable) {
        exchange->response() = failed_events(std::move(durable).error());
    }
}

runtime::Task<> EventBatches::post(http_server::Exchange* exchange) {
    const Request& request = exchange->request();
    if (auto refusal = refuse_unknown_parameter(request, {})) {
        exchange->response() = *std::move(refusal);
        co_return;
    }
    const bool is_single = has_one_event(request);
    std::unique_ptr<EventBatchTurns> batch;
    auto turn = [&]() -> std::optional<Response> {
        if (!batch) {
            auto opened = EventBatchTurns::open(request, clock_->now());
            if (!opened) {
                return opened.error();
            }
            batch = *std::move(opened);
        }
        return take_turn(*batch, !is_single);
    };
    exchange->response() =
        co_await on_pool_in_turns(is_single ? &singles_ : &batches_, std::move(turn));
    co_await hold_until_durable(exchange);
}

/// `gives_way`: others that wait for a core go first.
std::optional<Response> EventBatches::take_turn(EventBatchTurns& batch, bool gives_way) {
    if (batch.done()) {
        return batch.answer();  // it has no events
    }
    const std::stop_token stop = stopping_.get_token();
    if (stop.stop_requested()) {
        return batch.failed({.kind = ErrorKind::unavailable, .message = "the server is stopping"});
    }
    BatchPace pace;
    pace.go_on();
    const auto begun = std::chrono::steady_clock::now();
    Result<std::size_t> taken = batch.take(*collector_, turn_size_.lines());
    if (!taken) {
        return batch.failed(std::move(taken).error());
    }
    turn_size_.note(*taken, std::chrono::steady_clock::now() - begun);
    if (batch.done()) {
        return batch.answer();
    }
    if (gives_way) {
        pace.stop();
        pace.pause(store_->pressure(), stop);
    }
    return std::nullopt;
}

runtime::Task<> EventBatches::take_one(http_server::Exchange* exchange, CollectedEvent event) {
    storage::CommitPosition position = 0;
    auto take = [&]() -> Response {
        intake::Arrived arrived{
            .arrival = event.event.time,
            .door = events::Door::public_door,
            .machine_sign = std::move(event.machine_sign)
        };
        arrived.events.push_back(std::move(event.event));
        const auto taken = collector_->collect(std::move(arrived));
        position = taken ? taken->position : 0;
        return taken ? Response{} : answer_error(taken.error());
    };
    Response failure = co_await on_pool(&singles_, std::move(take));
    if (failure.status == 200) {
        exchange->response().hold_until = position;
        co_await hold_until_durable(exchange);
    } else {
        exchange->response() = std::move(failure);
    }
}

void EventBatches::refuse_waiting() {
    batches_.refuse_waiting();
    singles_.refuse_waiting();
}

void EventBatches::stop() {
    stopping_.request_stop();
    batches_.stop();
    singles_.stop();
}

}  // namespace footfall::api
