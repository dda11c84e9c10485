#include "owners/cells_wire.h"

#include "events/wire.h"
#include "runtime/lanes.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace footfall::owners {
namespace {

using events::append_bytes_field;
using events::append_number_field;
using events::WireField;

/// An action and an object are no longer than that in an event.
constexpr std::size_t name_bytes_max = 1 << 10;

namespace question {
constexpr std::uint64_t part = 1;
constexpr std::uint64_t lane = 1;
constexpr std::uint64_t generation = 2;
constexpr std::uint64_t action = 3;
constexpr std::uint64_t object = 4;
constexpr std::uint64_t first = 5;
constexpr std::uint64_t last = 6;
constexpr std::uint64_t most = 7;
}  // namespace question

namespace answer {
constexpr std::uint64_t owned = 1;
constexpr std::uint64_t not_owned = 2;
constexpr std::uint64_t counted = 1;
constexpr std::uint64_t cell = 2;
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
    return day >= std::numeric_limits<views::Day>::min() &&
           day <= std::numeric_limits<views::Day>::max();
}

std::unexpected<Error> no_question() {
    return fail(ErrorKind::invalid_input, "this is no question to the owner of a lane");
}

std::unexpected<Error> no_answer() {
    return fail(ErrorKind::corrupt, "this is no answer of the owner of a lane");
}

std::string written_part(const WireAsked& asked) {
    std::string part;
    append_number_field(question::lane, asked.cells.lane, part);
    append_number_field(question::generation, static_cast<std::uint64_t>(asked.generation), part);
    append_bytes_field(question::action, asked.cells.action, part);
    append_bytes_field(question::object, asked.cells.object, part);
    append_number_field(question::first, zigzag(asked.cells.days.first), part);
    append_number_field(question::last, zigzag(asked.cells.days.last), part);
    append_number_field(question::most, asked.cells.days.most, part);
    return part;
}

Result<WireAsked> read_part(std::string_view part) {
    WireAsked asked{};
    WireField field;
    std::int64_t first = 0;
    std::int64_t last = 0;
    while (!part.empty()) {
        if (!events::take_field(part, field)) {
            return no_question();
        }
        switch (field.tag) {
            case question::lane:
                asked.cells.lane = field.number;
                break;
            case question::generation:
                asked.generation = static_cast<std::int64_t>(field.number);
                break;
            case question::action:
                asked.cells.action = field.bytes;
                break;
            case question::object:
                asked.cells.object = field.bytes;
                break;
            case question::first:
                first = from_zigzag(field.number);
                break;
            case question::last:
                last = from_zigzag(field.number);
                break;
            case question::most:
                asked.cells.days.most = field.number;
                break;
            default:
                break;
        }
    }
    if (asked.cells.lane >= runtime::Lanes<int>::count ||
        asked.cells.action.size() >= name_bytes_max || asked.cells.object.size() > name_bytes_max ||
        !is_day(first) || !is_day(last) ||
        asked.cells.days.most > std::size_t{views::ReportQuery::longest_range} + 2) {
        return no_question();
    }
    asked.cells.days.first = static_cast<views::Day>(first);
    asked.cells.days.last = static_cast<views::Day>(last);
    return asked;
}

std::string written_change(const views::CellChange& event) {
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

Result<views::CellChange> read_change(std::string_view bytes) {
    views::CellChange event;
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
    return event.quarter < views::Counts::quarters ? Result<views::CellChange>{std::move(event)}
                                                   : no_answer();
}

std::string written_cell(
    views::Day day, std::string_view writer, const views::CellCopy& cell, std::uint16_t sketch_key
) {
    std::string bytes;
    append_number_field(answer::day, zigzag(day), bytes);
    append_bytes_field(answer::writer, writer, bytes);
    if (cell.whole) {
        append_bytes_field(answer::counts, cell.counts, bytes);
        append_bytes_field(answer::people, cell.people.written(sketch_key), bytes);
        append_number_field(answer::through, cell.through, bytes);
    }
    for (const views::CellChange& event : cell.changes) {
        append_bytes_field(answer::change, written_change(event), bytes);
    }
    return bytes;
}

Result<void> read_cell(
    std::string_view bytes, std::uint16_t sketch_key, views::CellCopies& copies
) {
    views::CellCopy cell;
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
            case answer::counts:
                cell.whole = true;
                cell.counts = field.bytes;
                break;
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
    if (cell.whole) {
        views::Reasons reasons;
        TRY_VOID(views::Counts::read(cell.counts, reasons));
    }
    if (!is_day(day)) {
        return no_answer();
    }
    copies[static_cast<views::Day>(day)].try_emplace(std::string{writer}, std::move(cell));
    return {};
}

Result<views::OwnedCells> read_owned(std::string_view bytes, std::uint16_t sketch_key) {
    views::OwnedCells owned;
    WireField field;
    while (!bytes.empty()) {
        if (!events::take_field(bytes, field)) {
            return no_answer();
        }
        if (field.tag == answer::counted) {
            owned.counted = field.number;
        } else if (field.tag == answer::cell) {
            TRY_VOID(read_cell(field.bytes, sketch_key, owned.cells));
        }
    }
    return owned;
}

}  // namespace

std::size_t asked_at_once(std::span<const WireAsked> asked) {
    constexpr std::size_t numbers_bytes = 64;
    std::size_t bytes = 0;
    std::size_t count = 0;
    while (count < std::min(asked.size(), asked_max)) {
        const views::CellsAsked& cells = asked[count].cells;
        bytes += cells.action.size() + cells.object.size() + numbers_bytes;
        if (count > 0 && bytes > question_bytes_max) {
            break;
        }
        ++count;
    }
    return count;
}

std::string written_question(std::span<const WireAsked> asked) {
    std::string bytes;
    for (const WireAsked& each : asked) {
        append_bytes_field(question::part, written_part(each), bytes);
    }
    return bytes;
}

Result<std::vector<WireAsked>> read_question(std::string_view bytes) {
    std::vector<WireAsked> asked;
    WireField field;
    while (!bytes.empty()) {
        if (!events::take_field(bytes, field) || asked.size() == asked_max) {
            return no_question();
        }
        if (field.tag == question::part) {
            TRY(asked.emplace_back(), read_part(field.bytes));
        }
    }
    return asked;
}

std::string written_answer(const WireAnswer& parts, std::uint16_t sketch_key) {
    std::string bytes;
    for (const auto& owned : parts) {
        if (!owned) {
            append_number_field(answer::not_owned, 1, bytes);
            continue;
        }
        std::string part;
        append_number_field(answer::counted, owned->counted, part);
        for (const auto& [day, cells] : owned->cells) {
            for (const auto& [writer, cell] : cells) {
                append_bytes_field(answer::cell, written_cell(day, writer, cell, sketch_key), part);
            }
        }
        append_bytes_field(answer::owned, part, bytes);
    }
    return bytes;
}

Result<WireAnswer> read_answer(
    std::string_view bytes, std::size_t asked, std::uint16_t sketch_key
) {
    WireAnswer parts;
    WireField field;
    while (!bytes.empty()) {
        if (!events::take_field(bytes, field) || parts.size() == asked) {
            return no_answer();
        }
        if (field.tag == answer::owned) {
            TRY(parts.emplace_back(), read_owned(field.bytes, sketch_key));
        } else if (field.tag == answer::not_owned) {
            parts.emplace_back();
        }
    }
    if (parts.size() != asked) {
        return no_answer();
    }
    return parts;
}

}  // namespace footfall::owners
