#include "events/verdict.h"

#include "events/event_code.h"
#include "events/wire.h"

#include <chrono>
#include <utility>

namespace footfall::events {
namespace {

// Of a record.
constexpr std::uint64_t event_tag = 1;
constexpr std::uint64_t record_arrival_tag = 2;
constexpr std::uint64_t version_tag = 3;
constexpr std::uint64_t refusal_tag = 4;
constexpr std::uint64_t shadow_tag = 5;
constexpr std::uint64_t public_door_tag = 6;
constexpr std::uint64_t machine_sign_tag = 7;
constexpr std::uint64_t source_tag = 8;
constexpr std::uint64_t remark_tag = 9;
constexpr std::uint64_t read_tag = 10;
// Of an objection.
constexpr std::uint64_t reason_tag = 1;
constexpr std::uint64_t rule_tag = 2;
constexpr std::uint64_t evidence_tag = 3;
// Of a read.
constexpr std::uint64_t id_hash_tag = 1;
constexpr std::uint64_t seal_tag = 2;
// Of a piece of evidence.
constexpr std::uint64_t name_tag = 1;
constexpr std::uint64_t value_tag = 2;

void append_evidence(std::uint64_t tag, const Evidence& evidence, std::string& out) {
    for (const auto& [name, value] : evidence) {
        append_written_field(tag, out, [&] {
            append_text_field(name_tag, name, out);
            append_text_field(value_tag, value, out);
        });
    }
}

void append_objection(
    std::uint64_t tag, const Objection& objection, bool with_evidence, std::string& out
) {
    append_written_field(tag, out, [&] {
        append_text_field(reason_tag, objection.reason, out);
        append_text_field(rule_tag, objection.rule, out);
        if (with_evidence) {
            append_evidence(evidence_tag, objection.evidence, out);
        }
    });
}

void append_objections(const Verdict& verdict, bool with_evidence, std::string& out) {
    if (verdict.refusal) {
        append_objection(refusal_tag, *verdict.refusal, with_evidence, out);
    }
    for (const Objection& each : verdict.shadow) {
        append_objection(shadow_tag, each, with_evidence, out);
    }
}

bool read_read_by(std::string_view bytes, ReadBy& read) {
    WireField field;
    while (!bytes.empty()) {
        if (!take_field(bytes, field)) {
            return false;
        }
        if (field.tag == id_hash_tag) {
            read.id_hash = field.number;
        } else if (field.tag == seal_tag) {
            read.seal = field.bytes;
        }
    }
    return true;
}

bool read_evidence(std::string_view bytes, Evidence& evidence) {
    auto& [name, value] = evidence.emplace_back();
    WireField field;
    while (!bytes.empty()) {
        if (!take_field(bytes, field)) {
            return false;
        }
        if (field.tag == name_tag) {
            name = field.bytes;
        } else if (field.tag == value_tag) {
            value = field.bytes;
        }
    }
    return true;
}

bool read_objection(std::string_view bytes, Objection& objection) {
    WireField field;
    while (!bytes.empty()) {
        if (!take_field(bytes, field)) {
            return false;
        }
        if (field.tag == reason_tag) {
            objection.reason = field.bytes;
        } else if (field.tag == rule_tag) {
            objection.rule = field.bytes;
        } else if (field.tag == evidence_tag && !read_evidence(field.bytes, objection.evidence)) {
            return false;
        }
    }
    return true;
}

bool set_field(const WireField& field, JudgedEvent& judged) {
    switch (field.tag) {
        case event_tag: {
            auto event = read_event(field.bytes);
            if (!event) {
                return false;
            }
            judged.event = *std::move(event);
            return true;
        }
        case record_arrival_tag:
            judged.arrival = Instant{std::chrono::microseconds{from_zigzag(field.number)}};
            return true;
        case version_tag:
            judged.verdict.rules_version = static_cast<std::uint32_t>(field.number);
            return true;
        case refusal_tag:
            return read_objection(field.bytes, judged.verdict.refusal.emplace());
        case shadow_tag:
            return read_objection(field.bytes, judged.verdict.shadow.emplace_back());
        case public_door_tag:
            judged.door = field.number != 0 ? Door::public_door : Door::trusted_door;
            return true;
        case machine_sign_tag:
            judged.machine_sign = field.bytes;
            return true;
        case source_tag:
            judged.source = field.number - 1;
            return field.number > 0;
        case remark_tag:
            return read_evidence(field.bytes, judged.verdict.remarks);
        case read_tag:
            return read_read_by(field.bytes, judged.read.emplace());
        default:
            return true;
    }
}

}  // namespace

void append_judged(const JudgedEvent& judged, std::string& out) {
    append_written_field(event_tag, out, [&] {
        judged.read ? append_stripped(judged.event, out) : append_event(judged.event, out);
    });
    append_number_field(record_arrival_tag, zigzag(judged.arrival.time_since_epoch().count()), out);
    append_number_field(version_tag, judged.verdict.rules_version, out);
    append_objections(judged.verdict, !judged.is_sealed(), out);
    if (judged.door == Door::public_door) {
        append_number_field(public_door_tag, 1, out);
    }
    append_text_field(machine_sign_tag, judged.machine_sign, out);
    if (judged.source) {
        append_number_field(source_tag, *judged.source + 1, out);
    }
    if (!judged.is_sealed()) {
        append_evidence(remark_tag, judged.verdict.remarks, out);
    }
    if (judged.read) {
        append_written_field(read_tag, out, [&] {
            append_number_field(id_hash_tag, judged.read->id_hash, out);
            append_text_field(seal_tag, judged.read->seal, out);
        });
    }
}

void append_hidden(const JudgedEvent& judged, std::string& out) {
    append_written_field(event_tag, out, [&] { append_personal(judged.event, out); });
    append_objections(judged.verdict, true, out);
    append_evidence(remark_tag, judged.verdict.remarks, out);
}

Result<void> add_hidden(std::string_view bytes, JudgedEvent& judged) {
    JudgedEvent hidden;
    WireField field;
    while (!bytes.empty()) {
        const bool taken =
            take_field(bytes, field) &&
            (field.tag == event_tag ? add_personal(field.bytes, judged.event).has_value()
                                    : set_field(field, hidden));
        if (!taken) {
            return fail(ErrorKind::corrupt, "what was sealed of a read is damaged");
        }
    }
    judged.verdict.refusal = std::move(hidden.verdict.refusal);
    judged.verdict.shadow = std::move(hidden.verdict.shadow);
    judged.verdict.remarks = std::move(hidden.verdict.remarks);
    return {};
}

const RulesInForce* rules_in(const LogRecord& record) {
    const auto* const control = std::get_if<Control>(&record);
    return control != nullptr ? std::get_if<RulesInForce>(control) : nullptr;
}

Result<LogRecord> read_record(std::string_view bytes) {
    JudgedEvent judged;
    bool has_event = false;
    WireField field;
    while (!bytes.empty()) {
        if (!take_field(bytes, field)) {
            return fail(ErrorKind::corrupt, "a record in the log is damaged");
        }
        if (field.tag == control_tag) {
            TRY(Control control, read_control(field.bytes));
            return control;
        }
        if (!set_field(field, judged)) {
            return fail(ErrorKind::corrupt, "a judged event in the log is damaged");
        }
        has_event = has_event || field.tag == event_tag;
    }
    if (!has_event) {
        return fail(ErrorKind::corrupt, "a record in the log has no event");
    }
    return judged;
}

}  // namespace footfall::events
