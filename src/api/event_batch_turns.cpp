#include "api/event_batch_turns.h"

#include "api/answers.h"
#include "api/gzip_body.h"
#include "foundation/json_string.h"
#include "foundation/lines.h"
#include "http_server/problem.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <string>
#include <utility>

namespace footfall::api {
namespace {

using events::EventForm;
using http_server::Request;
using http_server::Response;

constexpr std::size_t one_event_bytes_max = 64 << 10;
constexpr std::size_t events_max = 100'000;
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

Response too_many_events() {
    return http_server::problem(
        413,
        "too-many-lines",
        fmt::format("the batch has more than {} events; send it in parts", events_max)
    );
}

void append_rejected(const events::RejectedEvent& rejected, std::string& json) {
    json += fmt::format(
        R"({{"line":{},"type":"/problems/invalid-input","detail":{})",
        rejected.line,
        json_string(rejected.detail)
    );
    if (!rejected.field.empty()) {
        json += R"(,"field":)" + json_string(rejected.field);
    }
    json += "}";
}

}  // namespace

bool has_one_event(const Request& request) {
    if (!request.known.content_encoding.empty() || request.body.size() > one_event_bytes_max) {
        return false;
    }
    const Asked<EventForm> form = form_of(request, request.body);
    std::string_view left = request.body;
    left.remove_prefix(std::min(left.find_first_not_of(" \t\r\n"), left.size()));
    const bool is_object = left.starts_with('{');
    take_line(left);
    const bool is_line = left.find_first_not_of(" \t\r\n") == std::string_view::npos;
    return form && is_object && (*form != EventForm::ndjson || is_line);
}

Asked<std::unique_ptr<EventBatchTurns>> EventBatchTurns::open(
    const Request& request, Instant arrival
) {
    std::unique_ptr<EventBatchTurns> batch{new EventBatchTurns};
    const Asked<std::string_view> key = idempotency_key(request);
    const Asked<std::string_view> body =
        decoded_body(request, event_body_bytes_max, batch->unpacked_);
    if (!body) {
        return std::unexpected(body.error());
    }
    const Asked<EventForm> form = form_of(request, *body);
    if (!form) {
        return std::unexpected(form.error());
    }
    if (!key) {
        return std::unexpected(key.error());
    }
    auto reader = events::EventReader::open(*body, *form, arrival);
    if (!reader) {
        return std::unexpected(answer_error(reader.error()));
    }
    if (reader->left() > events_max) {
        return std::unexpected(too_many_events());
    }
    batch->key_ = *key;
    batch->arrival_ = arrival;
    batch->reader_ = std::make_unique<events::EventReader>(*std::move(reader));
    return batch;
}

Result<std::size_t> EventBatchTurns::take(intake::Collector& collector, std::size_t most) {
    events::ReadEvents read = reader_->next(most);
    const std::size_t good = read.good.size();
    const std::size_t all = good + read.rejected.size();
    std::ranges::move(read.rejected, std::back_inserter(rejected_));
    for (std::size_t at = 0; at < good && !key_.empty(); ++at) {
        if (read.good[at].id.empty()) {
            read.good[at].id = fmt::format("{}/{}", key_, read.lines[at]);
        }
    }
    TRY(const intake::Taken taken,
        collector.collect(
            {.events = std::move(read.good), .arrival = arrival_, .door = events::Door::trusted_door
            }
        ));
    accepted_ += good;
    taken_.duplicates += taken.duplicates;
    taken_.position = std::max(taken_.position, taken.position);
    return all;
}

Response EventBatchTurns::answer() {
    std::ranges::sort(rejected_, {}, &events::RejectedEvent::line);
    Response response{.content_type = "application/json"};
    response.body = fmt::format(
        R"({{"accepted":{},"duplicates":{},"rejected":[)", accepted_, taken_.duplicates
    );
    for (const events::RejectedEvent& each : rejected_) {
        response.body += response.body.ends_with('[') ? "" : ",";
        append_rejected(each, response.body);
    }
    response.body += "]}\n";
    response.hold_until = taken_.position;
    return response;
}

Response EventBatchTurns::failed(Error cause) const {
    return failed_events(taken_.failure(std::move(cause)));
}

Response failed_events(Error error) {
    error.message +=
        error.kind == ErrorKind::outcome_unknown
            ? "; some events of the batch may have been taken: send it again, events with "
              "an id and batches with an Idempotency-Key count once"
            : "; nothing of the batch was taken: send it again";
    return answer_error(error);
}

}  // namespace footfall::api
