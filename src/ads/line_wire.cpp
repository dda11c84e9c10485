#include "ads/line_wire.h"

#include "events/wire.h"
#include "foundation/varint.h"

#include <chrono>
#include <memory>
#include <optional>
#include <utility>

namespace footfall::ads {
namespace {

namespace tag {
constexpr std::uint64_t kind = 1;
constexpr std::uint64_t name = 2;
constexpr std::uint64_t all = 3;
constexpr std::uint64_t line = 1;
constexpr std::uint64_t offset = 1;
constexpr std::uint64_t arrival = 3;
constexpr std::uint64_t day = 4;
constexpr std::uint64_t arrived = 5;
constexpr std::uint64_t booked = 6;
constexpr std::uint64_t quarter = 7;
constexpr std::uint64_t micros = 8;
constexpr std::uint64_t counts_as = 9;  ///< A Line::Kind.
constexpr std::uint64_t first_text = 11;
}  // namespace tag

std::unexpected<Error> damaged_lines() {
    return fail(ErrorKind::corrupt, "the owner of a lane answered what are no lines of the ledger");
}

void append_signed(std::uint64_t tag, std::int64_t number, std::string& out) {
    events::append_number_field(tag, zigzag(number), out);
}

Instant instant_of(std::uint64_t bits) {
    return Instant{std::chrono::microseconds{from_zigzag(bits)}};
}

void set_number(const events::WireField& field, Line& line) {
    const std::int64_t number = from_zigzag(field.number);
    switch (field.tag) {
        case tag::offset:
            line.offset = field.number;
            break;
        case tag::arrival:
            line.arrival = instant_of(field.number);
            break;
        case tag::day:
            line.day = static_cast<Day>(number);
            break;
        case tag::arrived:
            line.arrived = static_cast<Day>(number);
            break;
        case tag::booked:
            line.booked = static_cast<Month>(number);
            break;
        case tag::quarter:
            line.quarter = static_cast<std::uint16_t>(field.number);
            break;
        case tag::micros:
            line.amount = number;
            break;
        case tag::counts_as:
            line.kind = field.number <= static_cast<std::uint64_t>(Line::Kind::refund)
                            ? static_cast<Line::Kind>(field.number)
                            : Line::Kind::refused;
            break;
        default:
            break;
    }
}

Result<Line> read_line(std::string_view bytes) {
    LineNames::Texts texts;
    events::WireField field;
    for (std::string_view left = bytes; !left.empty();) {
        if (!events::take_field(left, field)) {
            return damaged_lines();
        }
        if (field.tag >= tag::first_text && field.tag - tag::first_text < texts.size()) {
            texts.at(field.tag - tag::first_text) = field.bytes;
        }
    }
    Line line{.names = std::make_shared<const LineNames>(texts)};
    for (std::string_view left = bytes; !left.empty();) {
        events::take_field(left, field);
        set_number(field, line);
    }
    return line;
}

}  // namespace

std::string written_question(const LinesAsked& asked) {
    std::string bytes;
    if (asked.kind) {
        events::append_number_field(tag::kind, 1 + static_cast<std::uint64_t>(*asked.kind), bytes);
    }
    events::append_bytes_field(tag::name, asked.name, bytes);
    if (asked.all) {
        events::append_number_field(tag::all, 1, bytes);
    }
    return bytes;
}

Result<LinesAsked> read_question(std::string_view bytes) {
    LinesAsked asked;
    events::WireField field;
    while (!bytes.empty()) {
        if (!events::take_field(bytes, field)) {
            return fail(ErrorKind::invalid_input, "this is no question about the ledger");
        }
        if (field.tag == tag::kind) {
            asked.kind = field.number == 1 ? PartyKind::reseller : PartyKind::publisher;
        } else if (field.tag == tag::name) {
            asked.name = field.bytes;
        } else if (field.tag == tag::all) {
            asked.all = field.number == 1;
        }
    }
    return asked;
}

void append_line(const Line& line, std::string& out) {
    events::append_written_field(tag::line, out, [&] {
        events::append_number_field(tag::offset, line.offset, out);
        append_signed(tag::arrival, line.arrival.time_since_epoch().count(), out);
        append_signed(tag::day, line.day, out);
        append_signed(tag::arrived, line.arrived, out);
        append_signed(tag::booked, line.booked, out);
        events::append_number_field(tag::quarter, line.quarter, out);
        append_signed(tag::micros, line.amount, out);
        events::append_number_field(tag::counts_as, static_cast<std::uint64_t>(line.kind), out);
        std::uint64_t next = tag::first_text;
        for (const std::string_view text : line.names->texts()) {
            events::append_text_field(next++, text, out);
        }
    });
}

Result<std::vector<Line>> read_lines(std::string_view bytes) {
    std::vector<Line> lines;
    events::WireField field;
    while (!bytes.empty()) {
        if (!events::take_field(bytes, field) || field.tag != tag::line) {
            return damaged_lines();
        }
        TRY(Line line, read_line(field.bytes));
        lines.push_back(std::move(line));
    }
    return lines;
}

}  // namespace footfall::ads
