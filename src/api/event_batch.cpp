#include "api/event_batch.h"

#include "api/answers.h"
#include "api/batch_pace.h"
#include "api/gzip_body.h"
#include "api/on_pool.h"
#include "api/parameters.h"
#include "events/event_json.h"
#include "foundation/json_string.h"
#include "foundation/lines.h"
#include "http_server/problem.h"
#include "runtime/await_callback.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace footfall::api {
namespace {

using events::EventForm;
using http_server::Request;
using http_server::Response;

/// Batches that may wait for a thread.
constexpr std::size_t event_queue_limit = 100;
constexpr std::size_t events_max = 100'000;
/// So many events are judged before others get a turn.
constexpr std::size_t events_a_turn = 2000;
constexpr std::size_t longest_idempotency_key = 200;

struct FormOfType {
    std::string_view content_type;
    EventForm form;
};

constexpr std::array<FormOfType, 4> forms{{
    {"application/json", EventForm::json},
    {"application/x-ndjson", EventForm::ndjson},
    {"application/cloudevents+json", EventForm::cloudevent},
    {"application/cloudevents-batch+json", EventForm::cloudevents_batch},
}};

/// What `curl -d` says of any body, and what those say who say nothing.
bool says_nothing(std::string_view type) {
    return type.empty() || type == "application/x-www-form-urlencoded";
}

/// Of a body that nobody named: an array, one object over several lines, or an object a line.
EventForm form_by_look(std::string_view body) {
    const std::string_view text = trimmed(body);
    const std::string_view first_line = trimmed(text.substr(0, text.find('\n')));
    return text.starts_with('[') || !first_line.ends_with('}') ? EventForm::json
                                                               : EventForm::ndjson;
}

Asked<EventForm> form_of(const Request& request, std::string_view body) {
    std::string_view type = request.header("Content-Type");
    type = type.substr(0, type.find(';'));
    type = type.substr(0, type.find_last_not_of(' ') + 1);
    if (says_nothing(type)) {
        return form_by_look(body);
    }
    const auto named = std::ranges::find_if(forms, [&](const FormOfType& each) {
        return std::ranges::equal(each.content_type, type, [](char known, char sent) {
            return known == (sent >= 'A' && sent <= 'Z' ? sent - 'A' + 'a' : sent);
        });
    });
    if (named == forms.end()) {
        return std::unexpected(http_server::problem(
            415,
            "unsupported-type",
            "send events as application/json (one or an array), application/x-ndjson (one a line), "
            "application/cloudevents+json or application/cloudevents-batch+json",
            "Content-Type"
        ));
    }
    return named->form;
}

/// The Idempotency-Key, of which each line of the batch gets an id; empty: none was sent.
Asked<std::string_view> idempotency_key(const Request& request) {
    const std::string_view key = request.header("Idempotency-Key");
    const bool printable =
        std::ranges::all_of(key, [](char letter) { return letter > ' ' && letter < 0x7f; });
    if (!printable || key.size() > longest_idempotency_key) {
        return std::unexpected(http_server::problem(
            400,
            "invalid-input",
            fmt::format(
                "an Idempotency-Key has at most {} letters, digits and signs of ASCII",
                longest_idempotency_key
            ),
            "Idempotency-Key"
        ));
    }
    return key;
}

/// What a batch came to so far.
struct EventOutcome {
    std::uint64_t accepted = 0;
    intake::Taken taken;
    std::vector<events::RejectedEvent> rejected;
};

Response answer_events(EventOutcome outcome) {
    std::ranges::sort(outcome.rejected, {}, &events::RejectedEvent::line);
    Response response{.content_type = "application/json"};
    response.body = fmt::format(
        R"({{"accepted":{},"duplicates":{},"rejected":[)",
        outcome.accepted,
        outcome.taken.duplicates
    );
    for (const events::RejectedEvent& each : outcome.rejected) {
        response.body += fmt::format(
            R"({}{{"line":{},"type":"/problems/invalid-input","detail":{})",
            response.body.ends_with('[') ? "" : ",",
            each.line,
            json_string(each.detail)
        );
        if (!each.field.empty()) {
            response.body += R"(,"field":)" + json_string(each.field);
        }
        response.body += "}";
    }
    response.body += "]}\n";
    response.hold_until = outcome.taken.position;
    return response;
}

Response too_many_events() {
    return http_server::problem(
        413,
        "too-many-lines",
        fmt::format("the batch has more than {} events; send it in parts", events_max)
    );
}

Response failed(Error error) {
    error.message +=
        error.kind == ErrorKind::outcome_unknown
            ? "; some events of the batch may have been taken: send it again, events with "
              "an id and batches with an Idempotency-Key count once"
            : "; nothing of the batch was taken: send it again";
    return answer_error(error);
}

}  // namespace

EventBatches::EventBatches(
    intake::Collector& collector, storage::Store& store, const Clock& clock, std::size_t threads
)
    : collector_{&collector}, store_{&store}, clock_{&clock}, pool_{threads, event_queue_limit} {}

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
        exchange->response() = failed(std::move(durable).error());
    }
}

runtime::Task<> EventBatches::post(http_server::Exchange* exchange) {
    const Request& request = exchange->request();
    auto post = [&] { return post_now(request); };
    exchange->response() = co_await on_pool(&pool_, std::move(post));
    co_await hold_until_durable(exchange);
}

Response EventBatches::post_now(const Request& request) {
    if (auto refusal = refuse_unknown_parameter(request, {})) {
        return *std::move(refusal);
    }
    const Asked<std::string_view> key = idempotency_key(request);
    std::string unpacked;
    const Asked<std::string_view> body = decoded_body(request, event_body_bytes_max, unpacked);
    if (!body) {
        return body.error();
    }
    const Asked<EventForm> form = form_of(request, *body);
    if (!form) {
        return form.error();
    }
    if (!key) {
        return key.error();
    }
    const Instant arrival = clock_->now();
    auto reader = events::EventReader::open(*body, *form, arrival);
    if (!reader) {
        return answer_error(reader.error());
    }
    if (reader->left() > events_max) {
        return too_many_events();
    }
    EventOutcome outcome;
    BatchPace pace;
    const std::stop_token stop = stopping_.get_token();
    while (!reader->done()) {
        if (stop.stop_requested()) {
            return failed(outcome.taken.failure(
                {.kind = ErrorKind::unavailable, .message = "the server is stopping"}
            ));
        }
        pace.go_on();
        events::ReadEvents read = reader->next(events_a_turn);
        std::ranges::move(read.rejected, std::back_inserter(outcome.rejected));
        for (std::size_t at = 0; at < read.good.size() && !key->empty(); ++at) {
            if (read.good[at].id.empty()) {
                read.good[at].id = fmt::format("{}/{}", *key, read.lines[at]);
            }
        }
        const std::size_t good = read.good.size();
        const auto taken = collector_->collect(
            {.events = std::move(read.good), .arrival = arrival, .door = events::Door::trusted_door}
        );
        if (!taken) {
            return failed(outcome.taken.failure(taken.error()));
        }
        outcome.accepted += good;
        outcome.taken.duplicates += taken->duplicates;
        outcome.taken.position = std::max(outcome.taken.position, taken->position);
        pace.stop();
        pace.pause(store_->pressure(), stop);
    }
    return answer_events(std::move(outcome));
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
    Response failure = co_await on_pool(&pool_, std::move(take));
    if (failure.status == 200) {
        exchange->response().hold_until = position;
        co_await hold_until_durable(exchange);
    } else {
        exchange->response() = std::move(failure);
    }
}

void EventBatches::stop() {
    stopping_.request_stop();
    pool_.stop();
}

}  // namespace footfall::api
