#include "events/event_code.h"

#include "foundation/varint.h"

#include <array>
#include <limits>

namespace footfall::events {
namespace {

// The wire format of Protocol Buffers, so that everybody's tools can read it: each field is a
// number, the field's tag and its kind, and then the value. Fields stand in the order of their
// tags; what is empty is left out.
enum class Kind : std::uint64_t { number = 0, bytes = 2 };
constexpr unsigned kind_bits = 3;
constexpr std::uint64_t kind_mask = (1U << kind_bits) - 1;

constexpr std::uint64_t time_tag = 2;
constexpr std::uint64_t arrival_tag = 3;  ///< 1: the time is that of the arrival.
constexpr std::uint64_t amount_tag = 10;
constexpr std::uint64_t identifier_tag = 15;

struct TextField {
    std::uint64_t tag;
    std::string Event::* text;
};

constexpr std::array text_fields{
    TextField{1, &Event::id},
    TextField{4, &Event::action},
    TextField{5, &Event::object},
    TextField{6, &Event::actor},
    TextField{7, &Event::address},
    TextField{8, &Event::agent},
    TextField{9, &Event::referrer},
    TextField{11, &Event::currency},
    TextField{12, &Event::reseller},
    TextField{13, &Event::ad},
    TextField{14, &Event::publisher},
    TextField{16, &Event::attributes},
};

struct IdentifierField {
    std::uint64_t tag;
    std::string Identifier::* text;
};

constexpr std::array identifier_fields{
    IdentifierField{1, &Identifier::identifier},
    IdentifierField{2, &Identifier::id_name},
    IdentifierField{3, &Identifier::id_value},
};

std::uint64_t zigzag(std::int64_t number) {
    return (static_cast<std::uint64_t>(number) << 1) ^ static_cast<std::uint64_t>(number >> 63);
}

std::int64_t from_zigzag(std::uint64_t bits) {
    return static_cast<std::int64_t>((bits >> 1) ^ (~(bits & 1) + 1));
}

void append_number(std::uint64_t tag, std::uint64_t number, std::string& out) {
    append_varint(tag << kind_bits | static_cast<std::uint64_t>(Kind::number), out);
    append_varint(number, out);
}

void append_bytes(std::uint64_t tag, std::string_view bytes, std::string& out) {
    append_varint(tag << kind_bits | static_cast<std::uint64_t>(Kind::bytes), out);
    append_varint(bytes.size(), out);
    out.append(bytes);
}

void append_text(std::uint64_t tag, std::string_view text, std::string& out) {
    if (!text.empty()) {
        append_bytes(tag, text, out);
    }
}

void append_identifiers(const Event& event, std::string& out) {
    std::string bytes;
    for (const Identifier& each : event.identifiers) {
        bytes.clear();
        for (const IdentifierField& field : identifier_fields) {
            append_text(field.tag, each.*field.text, bytes);
        }
        append_bytes(identifier_tag, bytes, out);
    }
}

/// A field that was taken.
struct Field {
    std::uint64_t tag = 0;
    std::uint64_t number = 0;
    std::string_view bytes;
};

bool take_field(std::string_view& left, Field& field) {
    std::uint64_t key = 0;
    if (!take_varint(left, key) || !take_varint(left, field.number)) {
        return false;
    }
    field.tag = key >> kind_bits;
    field.bytes = {};
    const auto kind = static_cast<Kind>(key & kind_mask);
    if (kind == Kind::bytes && field.number <= left.size()) {
        field.bytes = left.substr(0, field.number);
        left.remove_prefix(field.number);
        return true;
    }
    return kind == Kind::number;
}

bool read_identifier(std::string_view bytes, Identifier& identifier) {
    Field field;
    while (!bytes.empty()) {
        if (!take_field(bytes, field)) {
            return false;
        }
        for (const IdentifierField& known : identifier_fields) {
            if (known.tag == field.tag) {
                identifier.*known.text = field.bytes;
            }
        }
    }
    return true;
}

bool set_field(const Field& field, Event& event) {
    switch (field.tag) {
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
            for (const TextField& known : text_fields) {
                if (known.tag == field.tag) {
                    event.*known.text = field.bytes;
                }
            }
            return true;
    }
}

}  // namespace

void append_event(const Event& event, std::string& out) {
    auto text = text_fields.begin();
    const auto append_texts_before = [&](std::uint64_t tag) {
        for (; text != text_fields.end() && text->tag < tag; ++text) {
            append_text(text->tag, event.*(text->text), out);
        }
    };
    append_texts_before(time_tag);
    append_number(time_tag, zigzag(event.time.time_since_epoch().count()), out);
    if (!event.time_given) {
        append_number(arrival_tag, 1, out);
    }
    append_texts_before(amount_tag);
    if (event.amount) {
        append_number(amount_tag, zigzag(*event.amount), out);
    }
    append_texts_before(identifier_tag);
    append_identifiers(event, out);
    append_texts_before(std::numeric_limits<std::uint64_t>::max());
}

Result<Event> read_event(std::string_view bytes) {
    Event event;
    Field field;
    while (!bytes.empty()) {
        if (!take_field(bytes, field) || !set_field(field, event)) {
            return fail(ErrorKind::corrupt, "a stored event is damaged");
        }
    }
    return event;
}

std::uint64_t content_hash(const Event& event, SipKey secret) {
    Event said = event;
    said.id.clear();
    if (!said.time_given) {
        said.time = {};
    }
    std::string bytes;
    append_event(said, bytes);
    return siphash13(secret, bytes);
}

}  // namespace footfall::events
