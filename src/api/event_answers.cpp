#include "api/event_answers.h"

#include "events/event_json_write.h"
#include "events/rfc3339.h"
#include "foundation/json_string.h"
#include "guard/explain.h"
#include "intake/lane_judge.h"

#include <fmt/format.h>

namespace footfall::api {
namespace {

void append_objection(const guard::Objection& objection, std::string& json) {
    json += fmt::format(
        R"("reason":{},"rule":{},"evidence":{{)",
        json_string(objection.reason),
        json_string(objection.rule)
    );
    for (bool first = true; const auto& [name, value] : objection.evidence) {
        json += first ? "" : ",";
        first = false;
        append_json_string(json, name);
        json += ':';
        append_json_string(json, value);
    }
    json += '}';
}

void append_verdict(const guard::JudgedEvent& judged, std::string& json) {
    const guard::Verdict& verdict = judged.verdict;
    json += fmt::format(R"({{"counted":{},)", verdict.counted());
    if (verdict.refusal) {
        append_objection(*verdict.refusal, json);
    } else {
        json += R"("reason":null,"rule":null,"evidence":{})";
    }
    json += fmt::format(
        R"(,"rules_version":"{}","why":{},"shadow":[)",
        verdict.rules_version,
        json_string(guard::why(verdict, judged.event))
    );
    for (const guard::Objection& each : verdict.shadow) {
        json += json.ends_with('[') ? "{" : ",{";
        append_objection(each, json);
        json += '}';
    }
    json += "]}";
}

}  // namespace

void append_found_event(const intake::FoundEvent& found, journal::LogId log, std::string& json) {
    const std::string position = intake::position_id(log, found.lane, found.offset);
    events::Event event = found.judged.event;
    if (event.id.empty()) {
        event.id = position;
    }
    events::append_event_json(event, json);
    json.pop_back();  // the closing brace
    json += fmt::format(
        R"(,"position":"{}","arrival":"{}","door":"{}","verdict":)",
        position,
        events::format_rfc3339(found.judged.arrival),
        found.judged.door == guard::Door::public_door ? "public" : "trusted"
    );
    append_verdict(found.judged, json);
    json += '}';
}

std::string found_events_json(std::span<const intake::FoundEvent> found, journal::LogId log) {
    std::string json = R"({"events":[)";
    for (const intake::FoundEvent& each : found) {
        json += json.ends_with('[') ? "" : ",";
        append_found_event(each, log, json);
    }
    json += "]}";
    return json;
}

}  // namespace footfall::api
