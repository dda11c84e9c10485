#include "segments_routes/member_lines.h"

#include "foundation/lines.h"
#include "foundation/utf8.h"
#include "identities/said_facts.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <array>
#include <cstdint>
#include <utility>

namespace footfall::segments::routes {
namespace {

namespace ondemand = simdjson::ondemand;

/// What is wrong with a line, in words.
std::unexpected<Error> wrong(std::string detail) {
    return std::unexpected(Error{.kind = ErrorKind::invalid_input, .message = std::move(detail)});
}

Result<std::string> text_of(ondemand::value value, std::string_view field) {
    std::string_view text;
    if (value.get_string().get(text) != simdjson::SUCCESS) {
        return wrong(fmt::format("{} is a text", field));
    }
    return std::string{text};
}

Result<std::chrono::seconds> ttl_of(ondemand::value value) {
    std::int64_t seconds = 0;
    if (value.get_int64().get(seconds) != simdjson::SUCCESS || seconds <= 0 ||
        seconds > member_ttl_max.count()) {
        return wrong(fmt::format(
            "ttl is a whole number of seconds from 1 to {}, for how long the id is a member",
            member_ttl_max.count()
        ));
    }
    return std::chrono::seconds{seconds};
}

/// The parts of an id that a line has said so far.
struct PartOfLine {
    std::string_view name;
    std::string identities::Id::* text;
    bool is_there = false;
};

/// Takes the fields of the object at hand into `member`.
Result<void> read_fields(
    ondemand::object object, MemberLine& member, std::array<PartOfLine, 3>& parts
) {
    for (auto each : object) {
        ondemand::field field;
        std::string_view key;
        if (std::move(each).get(field) != simdjson::SUCCESS ||
            field.unescaped_key().get(key) != simdjson::SUCCESS) {
            return wrong("the line is not valid JSON");
        }
        if (key == "ttl") {
            TRY(member.ttl, ttl_of(field.value()));
            continue;
        }
        bool is_known = false;
        for (PartOfLine& part : parts) {
            if (part.name != key) {
                continue;
            }
            is_known = true;
            if (std::exchange(part.is_there, true)) {
                return wrong(fmt::format("{} stands there twice", part.name));
            }
            TRY(member.id.*part.text, text_of(field.value(), part.name));
        }
        if (!is_known) {
            return wrong(fmt::format(
                "there is no field {} here: a member is {{\"identifier\",\"id_name\",\"id_value\","
                "\"ttl\"}}",
                is_utf8(key) && key.size() <= 64 ? fmt::format("\"{}\"", key) : "of that name"
            ));
        }
    }
    return {};
}

Result<MemberLine> read_member(
    ondemand::parser& parser, simdjson::padded_string_view text, std::size_t number
) {
    MemberLine member{.line = number, .id = {}, .ttl = {}};
    ondemand::document document;
    ondemand::object object;
    if (parser.iterate(text).get(document) != simdjson::SUCCESS ||
        document.get_object().get(object) != simdjson::SUCCESS) {
        return wrong("the line is not a JSON object");
    }
    std::array parts{
        PartOfLine{.name = "identifier", .text = &identities::Id::identifier},
        PartOfLine{.name = "id_name", .text = &identities::Id::id_name},
        PartOfLine{.name = "id_value", .text = &identities::Id::id_value}
    };
    TRY_VOID(read_fields(object, member, parts));
    const char* behind = nullptr;
    if (document.current_location().get(behind) != simdjson::OUT_OF_BOUNDS) {
        return wrong("there is text behind the JSON object");
    }
    for (const PartOfLine& part : parts) {
        if (!part.is_there) {
            return wrong(fmt::format("{} is missing", part.name));
        }
        if (auto fault = identities::fault_of_part(part.name, member.id.*part.text)) {
            return wrong(*std::move(fault));
        }
    }
    if (auto fault = identities::fault_of(member.id)) {
        return wrong(*std::move(fault));
    }
    return member;
}

}  // namespace

struct MemberLineReader::Parser {
    ondemand::parser json;
    std::string padded;  ///< The line at hand, with the room behind it that the parser may read.
};

MemberLineReader::MemberLineReader(std::string_view body)
    : left_{body}, parser_{std::make_unique<Parser>()} {}

MemberLineReader::~MemberLineReader() = default;

MemberLines MemberLineReader::next(std::size_t lines_max) {
    MemberLines lines;
    while (!left_.empty() && lines.good.size() + lines.rejected.size() < lines_max) {
        const std::string_view text = take_line(left_);
        ++number_;
        if (is_blank(text)) {
            continue;
        }
        std::string& padded = parser_->padded;
        padded.reserve(text.size() + simdjson::SIMDJSON_PADDING);
        padded.assign(text);
        const simdjson::padded_string_view readable{
            padded.data(), padded.size(), padded.capacity()
        };
        Result<MemberLine> member = read_member(parser_->json, readable, number_);
        if (member) {
            lines.good.push_back(*std::move(member));
        } else {
            lines.rejected.push_back({.line = number_, .detail = std::move(member).error().message}
            );
        }
    }
    return lines;
}

}  // namespace footfall::segments::routes
