#include "events/event_code.h"

#include "events/identifier_code.h"
#include "events/read_by.h"
#include "events/wire.h"
#include "foundation/varint.h"

#include <array>
#include <limits>
#include <optional>

namespace footfall::events {
namespace {

// Fields stand in the order of their tags; what is empty is left out.
constexpr std::uint64_t id_tag = 1;
constexpr std::uint64_t time_tag = 2;
constexpr std::uint64_t arrival_tag = 3;  ///< 1: the time is that of the arrival.
constexpr std::uint64_t amount_tag = 10;
constexpr std::uint64_t identifier_tag = 15;

struct StoredText {
    std::uint64_t tag;
    std::string Event::* text;
    bool personal = false;  ///< strip() takes it.
};

constexpr std::array stored_texts{
    StoredText{4, &Event::action},
    StoredText{5, &Event::object},
    StoredText{6, &Event::actor, true},
    StoredText{7, &Event::address, true},
    StoredText{8, &Event::agent, true},
    StoredText{9, &Event::referrer, true},
    StoredText{11, &Event::currency},
    StoredText{12, &Event::reseller},
    StoredText{13, &Event::ad},
    StoredText{14, &Event::publisher},
    StoredText{16, &Event::attributes, true},
};

bool set_field(const WireField& field, Event& event) {
    switch (field.tag) {
        case id_tag:
            event.id = field.bytes;
            return true;
        case time_tag:
            event.time = Instant{std::chrono::microseconds{from_zigzag(field.number)}};
            return true;
        case arrival_tag:
            event.time_given = field.number == 0;
            return true;
        case amount_tag:
            event.amount = from_zigzag(field.number);
            return true;
        case identifier_tag:
            return read_identifier(field.bytes, event.identifiers.emplace_back());
        default:
            for (const StoredText& known : stored_texts) {
                if (known.tag == field.tag) {
                    event.*known.text = field.bytes;
                }
            }
            return true;
    }
}

/// What of an event is written.
struct Written {
    std::string_view id;          ///< In place of the event's own.
    std::optional<Instant> time;  ///< The same; absent: none.
    bool personal = true;
    bool others = true;

    bool has(bool is_personal) const { return is_personal ? personal : others; }
};

void append_fields(const Event& event, const Written& written, std::string& out) {
    append_text_field(id_tag, written.id, out);
    auto text = stored_texts.begin();
    const auto append_texts_before = [&](std::uint64_t tag) {
        for (; text != stored_texts.end() && text->tag < tag; ++text) {
            if (written.has(text->personal)) {
                append_text_field(text->tag, event.*(text->text), out);
            }
        }
    };
    if (written.time) {
        append_number_field(time_tag, zigzag(written.time->time_since_epoch().count()), out);
    }
    if (written.others && !event.time_given) {
        append_number_field(arrival_tag, 1, out);
    }
    append_texts_before(amount_tag);
    if (written.others && event.amount) {
        append_number_field(amount_tag, zigzag(*event.amount), out);
    }
    append_texts_before(identifier_tag);
    if (written.personal) {
        for (const Identifier& each : event.identifiers) {
            append_identifier(identifier_tag, each, out);
        }
    }
    append_texts_before(std::numeric_limits<std::uint64_t>::max());
}

Result<void> read_fields(std::string_view bytes, Event& event) {
    WireField field;
    while (!bytes.empty()) {
        if (!take_field(bytes, field) || !set_field(field, event)) {
            return fail(ErrorKind::corrupt, "a stored event is damaged");
        }
    }
    return {};
}

}  // namespace

void append_event(const Event& event, std::string& out) {
    append_fields(event, {.id = event.id, .time = event.time}, out);
}

void append_stripped(const Event& event, std::string& out) {
    append_fields(event, {.time = event.time, .personal = false}, out);
}

void append_personal(const Event& event, std::string& out) {
    append_fields(event, {.id = event.id, .others = false}, out);
}

Result<void> add_personal(std::string_view bytes, Event& event) {
    return read_fields(bytes, event);
}

Result<Event> read_event(std::string_view bytes) {
    Event event;
    TRY_VOID(read_fields(bytes, event));
    return event;
}

std::uint64_t content_hash(const Event& event, SipKey secret) {
    thread_local std::string bytes;
    bytes.clear();
    append_fields(
        event,
        {.time = event.time_given ? event.time : Instant{}, .personal = event.action != read_action
        },
        bytes
    );
    return siphash13(secret, bytes);
}

}  // namespace footfall::events
