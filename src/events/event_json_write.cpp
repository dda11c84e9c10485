#include "events/event_json_write.h"

#include "events/erased.h"
#include "events/rfc3339.h"
#include "foundation/json_string.h"

#include <string_view>

namespace footfall::events {
namespace {

/// The fields of one JSON object, one after the other.
class FieldWriter {
public:
    explicit FieldWriter(std::string& out) : out_{&out} { *out_ += '{'; }

    void end() { *out_ += '}'; }

    /// Absent when empty.
    void text(std::string_view name, std::string_view value) {
        if (!value.empty()) {
            start(name);
            append_json_string(*out_, value);
        }
    }

    /// `json` as it is; absent when empty.
    void raw(std::string_view name, std::string_view json) {
        if (!json.empty()) {
            start(name);
            *out_ += json;
        }
    }

    void start(std::string_view name) {
        if (!first_) {
            *out_ += ',';
        }
        first_ = false;
        *out_ += '"';
        *out_ += name;
        *out_ += "\":";
    }

private:
    std::string* out_;
    bool first_ = true;
};

void append_identifier_list(const std::vector<Identifier>& identifiers, std::string& out) {
    char separator = '[';
    for (const Identifier& each : identifiers) {
        out += separator;
        separator = ',';
        FieldWriter fields{out};
        fields.text("identifier", each.identifier);
        fields.text("id_name", each.id_name);
        fields.text("id_value", each.id_value);
        fields.end();
    }
    out += ']';
}

}  // namespace

void append_event_json(const Event& event, std::string& out, ArrivalTime arrival_time) {
    FieldWriter fields{out};
    fields.text("id", shown_text(event.id));
    if (event.time_given || arrival_time == ArrivalTime::written) {
        fields.text("time", format_rfc3339(event.time));
    }
    fields.text("action", event.action);
    fields.text("object", event.object);
    fields.text("actor", shown_text(event.actor));
    fields.text("address", event.address);
    fields.text("agent", event.agent);
    fields.text("referrer", event.referrer);
    if (event.amount) {
        fields.text("amount", format_money(*event.amount));
    }
    fields.text("currency", event.currency);
    fields.text("reseller", event.reseller);
    fields.text("ad", event.ad);
    fields.text("publisher", event.publisher);
    if (!event.identifiers.empty()) {
        fields.start("identifiers");
        append_identifier_list(event.identifiers, out);
    }
    fields.raw("attributes", event.attributes);
    fields.end();
}

}  // namespace footfall::events
