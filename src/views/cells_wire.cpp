#include "views/cells_wire.h"

#include "events/wire.h"
#include "foundation/check.h"

#include <limits>
#include <utility>

namespace footfall::views {
namespace {

using events::append_bytes_field;
using events::append_number_field;
using events::WireField;

/// An action and an object are no longer than that in an event.
constexpr std::size_t name_bytes_max = 1 << 10;

namespace question {
constexpr std::uint64_t action = 1;
constexpr std::uint64_t object = 2;
constexpr std::uint64_t first = 3;
constexpr std::uint64_t last = 4;
constexpr std::uint64_t most = 5;
}  // namespace question

namespace answer {
constexpr std::uint64_t cell = 1;
constexpr std::uint64_t day = 1;
constexpr std::uint64_t writer = 2;
constexpr std::uint64_t counts = 3;
constexpr std::uint64_t people = 4;
constexpr std::uint64_t through = 5;
constexpr std::uint64_t change = 6;
}  // namespace answer

namespace change {
constexpr std::uint64_t offset = 1;
constexpr std::uint64_t quarter = 2;
constexpr std::uint64_t reason = 3;
constexpr std::uint64_t person = 4;
}  // namespace change

bool is_day(std::int64_t day) {
    return day >= std::numeric_limits<Day>::min() && day <= std::numeric_limits<Day>::max();
}

std::unexpected<Error> no_question() {
    return fail(ErrorKind::invalid_input, "this is no question about cells");
}

std::unexpected<Error> no_answer() {
    return fail(ErrorKind::corrupt, "these are no cells");
}

std::string written_change(const CellChange& event) {
    std::string bytes;
    append_number_field(change::offset, event.offset, bytes);
    append_number_field(change::quarter, event.quarter, bytes);
    if (!event.reason.empty()) {
        append_bytes_field(change::reason, event.reason, bytes);
    }
    if (event.person) {
        append_number_field(change::person, *event.person, bytes);
    }
    return bytes;
}

Result<CellChange> read_change(std::string_view bytes) {
    CellChange event;
    WireField field;
    while (!bytes.empty()) {
        if (!events::take_field(bytes, field)) {
            return no_answer();
        }
        switch (field.tag) {
            case change::offset:
                event.offset = field.number;
                break;
            case change::quarter:
                event.quarter = static_cast<unsigned>(field.number);
                break;
            case change::reason:
                event.reason = field.bytes;
                break;
            case change::person:
                event.person = static_cast<sketches::HashToken>(field.number);
                break;
            default:
                break;
        }
    }
    return event.quarter < Counts::quarters ? Result<CellChange>{std::move(event)} : no_answer();
}

/// As a row has them.
std::string written_counts(const CellCopy& cell) {
    Reasons reasons;
    const Result<Counts> counts = Counts::of(cell.counts, reasons);
    CHECK(counts, "a lane numbers as many reasons");
    return counts->written(reasons);
}

std::string written_cell(
    Day day, std::string_view writer, const CellCopy& cell, std::uint16_t sketch_key
) {
    std::string bytes;
    append_number_field(answer::day, zigzag(day), bytes);
    append_bytes_field(answer::writer, writer, bytes);
    if (cell.whole) {
        append_bytes_field(answer::counts, written_counts(cell), bytes);
        append_bytes_field(answer::people, cell.people.written(sketch_key), bytes);
        append_number_field(answer::through, cell.through, bytes);
    }
    for (const CellChange& event : cell.changes) {
        append_bytes_field(answer::change, written_change(event), bytes);
    }
    return bytes;
}

Result<void> read_cell(std::string_view bytes, std::uint16_t sketch_key, CellCopies& copies) {
    CellCopy cell;
    std::string_view writer;
    std::int64_t day = 0;
    WireField field;
    while (!bytes.empty()) {
        if (!events::take_field(bytes, field)) {
            return no_answer();
        }
        switch (field.tag) {
            case answer::day:
                day = from_zigzag(field.number);
                break;
            case answer::writer:
                writer = field.bytes;
                break;
            case answer::counts: {
                Reasons reasons;
                TRY(const Counts counts, Counts::read(field.bytes, reasons));
                cell.whole = true;
                cell.counts = counts.told(reasons);
                break;
            }
            case answer::people: {
                TRY(cell.people, sketches::Sketch::read(field.bytes, sketch_key));
                break;
            }
            case answer::through:
                cell.through = field.number;
                break;
            case answer::change: {
                TRY(cell.changes.emplace_back(), read_change(field.bytes));
                break;
            }
            default:
                break;
        }
    }
    if (!is_day(day)) {
        return no_answer();
    }
    copies[static_cast<Day>(day)].try_emplace(std::string{writer}, std::move(cell));
    return {};
}

}  // namespace

std::string written_question(const CellsAsked& asked) {
    std::string bytes;
    append_bytes_field(question::action, asked.action, bytes);
    append_bytes_field(question::object, asked.object, bytes);
    append_number_field(question::first, zigzag(asked.days.first), bytes);
    append_number_field(question::last, zigzag(asked.days.last), bytes);
    append_number_field(question::most, asked.days.most, bytes);
    return bytes;
}

Result<CellsAsked> read_question(std::size_t lane, std::string_view bytes) {
    CellsAsked asked{.lane = lane};
    WireField field;
    std::int64_t first = 0;
    std::int64_t last = 0;
    while (!bytes.empty()) {
        if (!events::take_field(bytes, field)) {
            return no_question();
        }
        switch (field.tag) {
            case question::action:
                asked.action = field.bytes;
                break;
            case question::object:
                asked.object = field.bytes;
                break;
            case question::first:
                first = from_zigzag(field.number);
                break;
            case question::last:
                last = from_zigzag(field.number);
                break;
            case question::most:
                asked.days.most = field.number;
                break;
            default:
                break;
        }
    }
    if (asked.action.size() >= name_bytes_max || asked.object.size() > name_bytes_max ||
        !is_day(first) || !is_day(last) ||
        asked.days.most > std::size_t{ReportQuery::longest_range} + 2) {
        return no_question();
    }
    asked.days.first = static_cast<Day>(first);
    asked.days.last = static_cast<Day>(last);
    return asked;
}

std::string written_cells(const CellCopies& copies, std::uint16_t sketch_key) {
    std::string bytes;
    for (const auto& [day, cells] : copies) {
        for (const auto& [writer, cell] : cells) {
            append_bytes_field(answer::cell, written_cell(day, writer, cell, sketch_key), bytes);
        }
    }
    return bytes;
}

Result<CellCopies> read_cells(std::string_view bytes, std::uint16_t sketch_key) {
    CellCopies copies;
    WireField field;
    while (!bytes.empty()) {
        if (!events::take_field(bytes, field)) {
            return no_answer();
        }
        if (field.tag == answer::cell) {
            TRY_VOID(read_cell(field.bytes, sketch_key, copies));
        }
    }
    return copies;
}

}  // namespace footfall::views
