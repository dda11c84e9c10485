#include "events/event_json.h"

#include "events/rfc3339.h"
#include "foundation/lines.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <utility>

namespace footfall::events {
namespace {

using simdjson::dom::element;
using Fault = std::optional<EventFault>;

/// Less is no event: it says what was done to which object.
constexpr std::size_t shortest_line = 26;

/// So many bytes behind a text have to be there, which the parser may read.
constexpr std::ptrdiff_t padding = simdjson::SIMDJSON_PADDING;

EventFault fault_of(std::string_view field, std::string_view wants) {
    return {std::string{field}, fmt::format("{} must be {}", field, wants)};
}

Fault take_text(std::string_view field, element value, std::string& into) {
    std::string_view text;
    if (value.get_string().get(text) != simdjson::SUCCESS) {
        return fault_of(field, "a string");
    }
    into = text;
    return std::nullopt;
}

Fault take_time(std::string_view field, element value, std::optional<Instant>& into) {
    std::string_view text;
    if (value.get_string().get(text) == simdjson::SUCCESS) {
        into = parse_rfc3339(text);
    }
    if (into) {
        return std::nullopt;
    }
    return parse_any_rfc3339(text)
               ? fault_of(field, "1970-01-01T00:00:00Z or later")
               : fault_of(field, "a time with a zone, such as \"2026-11-21T10:00:00Z\"");
}

Fault take_amount(element value, std::optional<Micros>& into) {
    std::string_view text;
    if (value.get_string().get(text) == simdjson::SUCCESS) {
        into = parse_money(text);
    }
    return into ? std::nullopt
                : Fault{fault_of(
                      "amount", "a decimal in quotes, with at most six decimals, such as \"0.005\""
                  )};
}

Fault take_identifiers(element value, std::vector<Identifier>& into) {
    constexpr std::string_view field = "identifiers";
    simdjson::dom::array all;
    if (value.get_array().get(all) != simdjson::SUCCESS) {
        return fault_of(field, "an array");
    }
    into.clear();
    for (const element each : all) {
        simdjson::dom::object object;
        if (each.get_object().get(object) != simdjson::SUCCESS || into.size() > identifiers_max) {
            return fault_of(field, fmt::format("an array of at most {} objects", identifiers_max));
        }
        Identifier& identifier = into.emplace_back();
        for (const auto& [key, part] : object) {
            std::string* const text = key == "identifier" ? &identifier.identifier
                                      : key == "id_name"  ? &identifier.id_name
                                      : key == "id_value" ? &identifier.id_value
                                                          : nullptr;
            if (text != nullptr) {
                if (Fault fault = take_text(field, part, *text)) {
                    return fault;
                }
            }
        }
    }
    return std::nullopt;
}

Fault take_attributes(element value, std::string& into) {
    if (!value.is_object()) {
        return fault_of("attributes", "a JSON object");
    }
    into = simdjson::to_string(value);
    if (into == "{}") {
        into.clear();
    }
    return std::nullopt;
}

struct TextField {
    std::string_view name;
    std::string Event::* text;
};

constexpr std::array text_fields{
    TextField{"id", &Event::id},
    TextField{"action", &Event::action},
    TextField{"object", &Event::object},
    TextField{"actor", &Event::actor},
    TextField{"address", &Event::address},
    TextField{"agent", &Event::agent},
    TextField{"referrer", &Event::referrer},
    TextField{"currency", &Event::currency},
    TextField{"reseller", &Event::reseller},
    TextField{"ad", &Event::ad},
    TextField{"publisher", &Event::publisher},
};

/// Takes one field; one that is not known, or null, says nothing.
Fault take_field(std::string_view key, element value, Event& event, std::optional<Instant>& time) {
    if (value.is_null()) {
        return std::nullopt;
    }
    const auto text = std::ranges::find(text_fields, key, &TextField::name);
    if (text != text_fields.end()) {
        return take_text(key, value, event.*(text->text));
    }
    if (key == "time") {
        return take_time(key, value, time);
    }
    if (key == "amount") {
        return take_amount(value, event.amount);
    }
    if (key == "identifiers") {
        return take_identifiers(value, event.identifiers);
    }
    return key == "attributes" ? take_attributes(value, event.attributes) : std::nullopt;
}

Fault take_fields(element json, Event& event, std::optional<Instant>& time) {
    simdjson::dom::object object;
    if (json.get_object().get(object) != simdjson::SUCCESS) {
        return EventFault{"", "an event is a JSON object"};
    }
    for (const auto& [key, value] : object) {
        if (Fault fault = take_field(key, value, event, time)) {
            return fault;
        }
    }
    return std::nullopt;
}

/// A CloudEvents envelope, which says what its data does not.
Fault take_envelope(element json, Event& event, std::optional<Instant>& time) {
    std::string_view version;
    if (json["specversion"].get_string().get(version) != simdjson::SUCCESS ||
        !version.starts_with("1.")) {
        return EventFault{"specversion", "a CloudEvents envelope has \"specversion\":\"1.0\""};
    }
    std::array<std::string_view, 3> said;
    constexpr std::array<std::string_view, 3> names{"source", "id", "type"};
    for (std::size_t at = 0; at < names.size(); ++at) {
        if (json[names[at]].get_string().get(said[at]) != simdjson::SUCCESS || said[at].empty()) {
            return fault_of(names[at], "a string that is not empty, as CloudEvents 1.0 wants it");
        }
    }
    element data;
    if (json["data"].get(data) == simdjson::SUCCESS && !data.is_null()) {
        if (Fault fault = take_fields(data, event, time)) {
            return fault;
        }
    }
    event.id = fmt::format("{}#{}", said[0], said[1]);
    if (event.action.empty()) {
        event.action = said[2].substr(said[2].rfind('.') + 1);
    }
    element value;
    if (event.object.empty() && json["subject"].get(value) == simdjson::SUCCESS) {
        if (Fault fault = take_text("subject", value, event.object)) {
            return fault;
        }
    }
    if (!time && json["time"].get(value) == simdjson::SUCCESS) {
        return take_time("time", value, time);
    }
    return std::nullopt;
}

/// What is wrong with a text that cannot be parsed, for whoever wrote it.
std::string_view parse_fault(simdjson::error_code error) {
    return error == simdjson::NUMBER_ERROR
               ? "a number in it is written wrongly, or beyond 64 bits: send it as a text"
               : simdjson::error_message(error);
}

}  // namespace

struct EventReader::State {
    EventForm form;
    Instant arrival;
    std::string_view lines;         ///< ndjson: what is left.
    std::vector<element> elements;  ///< Else: all of them.
    std::size_t number = 0;         ///< Of the last event taken.
    simdjson::dom::parser parser;

    void read(element json, ReadEvents& into) {
        Event& event = into.good.emplace_back();
        std::optional<Instant> time;
        const bool is_envelope =
            form == EventForm::cloudevent || form == EventForm::cloudevents_batch;
        Fault fault =
            is_envelope ? take_envelope(json, event, time) : take_fields(json, event, time);
        event.time = time.value_or(arrival);
        event.time_given = time.has_value();
        if (!fault) {
            fault = tidy_event(event);
        }
        if (fault) {
            into.good.pop_back();
            reject(*std::move(fault), into);
            return;
        }
        into.lines.push_back(number);
    }

    void reject(EventFault fault, ReadEvents& into) const {
        into.rejected.push_back(
            {.line = number, .field = std::move(fault.field), .detail = std::move(fault.detail)}
        );
    }

    void read_line(std::string_view line, ReadEvents& into) {
        element json;
        // Behind most lines stand others; the last ones the parser copies.
        const char* const body_end = lines.data() + lines.size();
        const bool copy = body_end - (line.data() + line.size()) < padding;
        const auto error = parser.parse(line.data(), line.size(), copy).get(json);
        if (error != simdjson::SUCCESS) {
            reject({"", fmt::format("no JSON: {}", parse_fault(error))}, into);
        } else {
            read(json, into);
        }
    }
};

EventReader::EventReader(std::unique_ptr<State> state) : state_{std::move(state)} {}

EventReader::EventReader(EventReader&&) noexcept = default;
EventReader& EventReader::operator=(EventReader&&) noexcept = default;
EventReader::~EventReader() = default;

Result<EventReader> EventReader::open(std::string_view body, EventForm form, Instant arrival) {
    auto state = std::make_unique<State>();
    state->form = form;
    state->arrival = arrival;
    if (form == EventForm::ndjson) {
        state->lines = body;
        return EventReader{std::move(state)};
    }
    if (body.empty()) {
        body = "";  // The parser copies what it is given, and no copy may begin at null.
    }
    element json;
    const auto error = state->parser.parse(body.data(), body.size()).get(json);
    if (error != simdjson::SUCCESS) {
        return fail(
            ErrorKind::invalid_input, fmt::format("the body is no JSON: {}", parse_fault(error))
        );
    }
    simdjson::dom::array array;
    if (form != EventForm::cloudevent && json.get_array().get(array) == simdjson::SUCCESS) {
        state->elements.assign(array.begin(), array.end());
    } else if (form == EventForm::cloudevents_batch) {
        return fail(ErrorKind::invalid_input, "a batch of CloudEvents is a JSON array");
    } else {
        state->elements.push_back(json);
    }
    return EventReader{std::move(state)};
}

bool EventReader::done() const {
    return state_->lines.empty() && state_->number >= state_->elements.size();
}

std::size_t EventReader::left() const {
    const std::string_view lines = state_->lines;
    std::size_t ends = 0;
    for (std::size_t at = lines.find('\n'); at != std::string_view::npos;
         at = lines.find('\n', at + 1)) {
        ++ends;
    }
    const bool unended = !lines.empty() && lines.back() != '\n';
    return ends + (unended ? 1 : 0) + state_->elements.size() -
           (state_->elements.empty() ? 0 : state_->number);
}

ReadEvents EventReader::next(std::size_t events_max) {
    ReadEvents events;
    const std::size_t elements_left =
        state_->elements.size() - std::min(state_->number, state_->elements.size());
    const std::size_t most =
        std::min(events_max, 1 + state_->lines.size() / shortest_line + elements_left);
    events.good.reserve(most);
    events.lines.reserve(most);
    const auto is_full = [&] { return events.good.size() + events.rejected.size() >= events_max; };
    while (!state_->lines.empty() && !is_full()) {
        const std::string_view line = take_line(state_->lines);
        ++state_->number;
        if (!is_blank(line)) {
            state_->read_line(line, events);
        }
    }
    while (state_->number < state_->elements.size() && !is_full()) {
        const element json = state_->elements[state_->number++];
        state_->read(json, events);
    }
    return events;
}

}  // namespace footfall::events
