#include "api/event_answers.h"

#include "events/erased.h"
#include "events/event_json_write.h"
#include "events/rfc3339.h"
#include "foundation/json_string.h"
#include "guard/explain.h"

#include <fmt/format.h>

namespace footfall::api {
namespace {

void append_evidence(const events::Evidence& evidence, std::string& json) {
    json += R"("evidence":{)";
    for (bool first = true; const auto& [name, value] : evidence) {
        json += first ? "" : ",";
        first = false;
        append_json_string(json, name);
        json += ':';
        append_json_string(json, value);
    }
    json += '}';
}

void append_objection(const events::Objection& objection, std::string& json) {
    json += fmt::format(
        R"("reason":{},"rule":{},)", json_string(objection.reason), json_string(objection.rule)
    );
    append_evidence(objection.evidence, json);
}

void append_verdict(const events::JudgedEvent& judged, std::string& json) {
    const events::Verdict& verdict = judged.verdict;
    json += fmt::format(R"({{"counted":{},)", verdict.counted());
    if (verdict.refusal) {
        append_objection(*verdict.refusal, json);
    } else {
        json += R"("reason":null,"rule":null,)";
        append_evidence(verdict.remarks, json);
    }
    json += fmt::format(
        R"(,"rules_version":"{}","why":{},"shadow":[)",
        verdict.rules_version,
        json_string(guard::why(verdict, judged.event))
    );
    for (const events::Objection& each : verdict.shadow) {
        json += json.ends_with('[') ? "{" : ",{";
        append_objection(each, json);
        json += '}';
    }
    json += "]}";
}

/// What is told in place of an address; empty: the address itself.
std::string hash_for_address(const events::JudgedEvent& judged, const intake::Context& context) {
    if (judged.event.address.empty() || !context.keep_addresses ||
        judged.arrival + *context.keep_addresses > context.clock->now()) {
        return "";
    }
    return fmt::format("{:016x}", siphash13(context.secret, "address " + judged.event.address));
}

}  // namespace

void append_found_event(
    const intake::FoundEvent& found, const intake::Context& context, std::string& json
) {
    const std::string position = intake::position_id(found.log, found.lane, found.offset);
    events::Event event = found.judged.event;
    if (events::shown_text(event.id).empty()) {
        event.id = position;
    }
    const std::string address_hash = hash_for_address(found.judged, context);
    if (!address_hash.empty()) {
        event.address.clear();
    }
    events::append_event_json(event, json);
    json.pop_back();  // the closing brace
    if (!address_hash.empty()) {
        json += fmt::format(R"(,"address_hash":"{}")", address_hash);
    }
    json += fmt::format(
        R"(,"position":"{}","arrival":"{}","door":"{}","verdict":)",
        position,
        events::format_rfc3339(found.judged.arrival),
        found.judged.door == events::Door::public_door ? "public" : "trusted"
    );
    append_verdict(found.judged, json);
    if (found.judged.read) {
        json += fmt::format(R"(,"shared":{})", found.judged.is_sealed());
    }
    json += '}';
}

std::string found_events_json(
    std::span<const intake::FoundEvent> found, const intake::Context& context
) {
    std::string json = R"({"events":[)";
    for (const intake::FoundEvent& each : found) {
        json += json.ends_with('[') ? "" : ",";
        append_found_event(each, context, json);
    }
    json += "]}";
    return json;
}

}  // namespace footfall::api
