#include "owners/wire.h"

#include "events/wire.h"
#include "runtime/lanes.h"

#include <algorithm>

namespace footfall::owners {
namespace {

using events::append_bytes_field;
using events::append_number_field;
using events::WireField;

namespace question {
constexpr std::uint64_t projection = 1;
constexpr std::uint64_t part = 2;
constexpr std::uint64_t of_all = 3;
constexpr std::uint64_t lane = 1;
constexpr std::uint64_t generation = 2;
constexpr std::uint64_t asked = 3;
}  // namespace question

namespace answer {
constexpr std::uint64_t owned = 1;
constexpr std::uint64_t not_owned = 2;
constexpr std::uint64_t counted = 1;
constexpr std::uint64_t told = 2;
}  // namespace answer

std::unexpected<Error> no_question() {
    return fail(ErrorKind::invalid_input, "this is no question to the owner of a lane");
}

std::unexpected<Error> no_answer() {
    return fail(ErrorKind::corrupt, "this is no answer of the owner of a lane");
}

std::string written_part(const WirePart& part) {
    std::string bytes;
    append_number_field(question::lane, part.lane, bytes);
    append_number_field(question::generation, static_cast<std::uint64_t>(part.generation), bytes);
    append_bytes_field(question::asked, part.bytes, bytes);
    return bytes;
}

Result<WirePart> read_part(std::string_view bytes) {
    WirePart part;
    std::uint64_t lane = 0;
    WireField field;
    while (!bytes.empty()) {
        if (!events::take_field(bytes, field)) {
            return no_question();
        }
        if (field.tag == question::lane) {
            lane = field.number;
        } else if (field.tag == question::generation) {
            part.generation = static_cast<std::int64_t>(field.number);
        } else if (field.tag == question::asked) {
            part.bytes = field.bytes;
        }
    }
    if (lane >= runtime::lane_count) {
        return no_question();
    }
    part.lane = static_cast<std::uint32_t>(lane);
    return part;
}

Result<projecting::LaneAnswer> read_owned(std::string_view bytes) {
    projecting::LaneAnswer owned;
    WireField field;
    while (!bytes.empty()) {
        if (!events::take_field(bytes, field)) {
            return no_answer();
        }
        if (field.tag == answer::counted) {
            owned.counted = field.number;
        } else if (field.tag == answer::told) {
            owned.bytes = field.bytes;
        }
    }
    return owned;
}

}  // namespace

std::size_t asked_at_once(std::span<const WirePart> parts, std::string_view of_all) {
    constexpr std::size_t numbers_bytes = 32;
    std::size_t bytes = 2 * numbers_bytes + of_all.size();
    std::size_t count = 0;
    while (count < std::min(parts.size(), asked_max)) {
        bytes += parts[count].bytes.size() + numbers_bytes;
        if (count > 0 && bytes > question_bytes_max) {
            break;
        }
        ++count;
    }
    return count;
}

std::string written_question(const WireQuestion& asked) {
    std::string bytes;
    append_bytes_field(question::projection, asked.projection, bytes);
    if (!asked.of_all.empty()) {
        append_bytes_field(question::of_all, asked.of_all, bytes);
    }
    for (const WirePart& each : asked.parts) {
        append_bytes_field(question::part, written_part(each), bytes);
    }
    return bytes;
}

Result<WireQuestion> read_question(std::string_view bytes) {
    WireQuestion asked;
    WireField field;
    while (!bytes.empty()) {
        if (!events::take_field(bytes, field) || asked.parts.size() == asked_max) {
            return no_question();
        }
        if (field.tag == question::projection) {
            asked.projection = field.bytes;
        } else if (field.tag == question::of_all) {
            asked.of_all = field.bytes;
        } else if (field.tag == question::part) {
            TRY(asked.parts.emplace_back(), read_part(field.bytes));
        }
    }
    return asked;
}

std::string written_answer(const WireAnswer& parts) {
    std::string bytes;
    for (const auto& owned : parts) {
        if (!owned) {
            append_number_field(answer::not_owned, 1, bytes);
            continue;
        }
        std::string part;
        append_number_field(answer::counted, owned->counted, part);
        append_bytes_field(answer::told, owned->bytes, part);
        append_bytes_field(answer::owned, part, bytes);
    }
    return bytes;
}

Result<WireAnswer> read_answer(std::string_view bytes, std::size_t asked) {
    WireAnswer parts;
    WireField field;
    while (!bytes.empty()) {
        if (!events::take_field(bytes, field) || parts.size() == asked) {
            return no_answer();
        }
        if (field.tag == answer::owned) {
            TRY(parts.emplace_back(), read_owned(field.bytes));
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
