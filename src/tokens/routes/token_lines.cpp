#include "tokens_routes/token_lines.h"

#include "foundation/lines.h"
#include "foundation/names.h"
#include "foundation/utf8.h"
#include "tokens/names.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>

namespace footfall::tokens::routes {
namespace {

namespace ondemand = simdjson::ondemand;

/// What is wrong with a line, as detail; the type is the same for all.
Error wrong(std::string detail) {
    return {.kind = ErrorKind::invalid_input, .message = std::move(detail)};
}

Result<std::string> text_of(ondemand::value value, std::string_view field) {
    std::string_view text;
    if (value.get_string().get(text) != simdjson::SUCCESS) {
        return std::unexpected(wrong(fmt::format("{} must be a string", field)));
    }
    return std::string{text};
}

Result<std::chrono::seconds> ttl_of(ondemand::value value) {
    std::int64_t seconds = 0;
    if (value.get_int64().get(seconds) != simdjson::SUCCESS || seconds <= 0) {
        return std::unexpected(wrong("ttl must be a whole number of seconds above 0"));
    }
    return std::chrono::seconds{seconds};
}

/// Takes the fields of the object at hand into `line`.
Result<void> read_fields(
    ondemand::object object, TokenLine& line, bool& has_object, bool& has_token
) {
    for (auto each : object) {
        ondemand::field field;
        std::string_view key;
        if (std::move(each).get(field) != simdjson::SUCCESS ||
            field.unescaped_key().get(key) != simdjson::SUCCESS) {
            return std::unexpected(wrong("the line is not valid JSON"));
        }
        if (key == "object") {
            TRY(line.object, text_of(field.value(), "object"));
            has_object = true;
        } else if (key == "token") {
            TRY(line.token, text_of(field.value(), "token"));
            has_token = true;
        } else if (key == "ttl") {
            TRY(line.ttl, ttl_of(field.value()));
        }
    }
    return {};
}

Result<TokenLine> read_line(
    ondemand::parser& parser, simdjson::padded_string_view text, std::size_t number
) {
    TokenLine line{.line = number, .object = {}, .token = {}, .ttl = {}};
    ondemand::document document;
    ondemand::object object;
    if (parser.iterate(text).get(document) != simdjson::SUCCESS ||
        document.get_object().get(object) != simdjson::SUCCESS) {
        return std::unexpected(wrong("the line is not a JSON object"));
    }
    bool has_object = false;
    bool has_token = false;
    TRY_VOID(read_fields(object, line, has_object, has_token));
    const char* behind = nullptr;
    if (document.current_location().get(behind) != simdjson::OUT_OF_BOUNDS) {
        return std::unexpected(wrong("there is text behind the JSON object"));
    }
    if (!has_object || !has_token) {
        return std::unexpected(wrong(fmt::format("{} is missing", has_object ? "token" : "object"))
        );
    }
    TRY_VOID(check_name("object name", line.object));
    TRY_VOID(tokens::check_token(line.token));
    return line;
}

}  // namespace

std::size_t count_token_lines(std::string_view body) {
    std::size_t count = 0;
    while (!body.empty()) {
        count += is_blank(take_line(body)) ? 0 : 1;
    }
    return count;
}

struct TokenLineReader::Parser {
    ondemand::parser json;
    std::string padded;  ///< The line at hand, with the room behind it that the parser may read.
};

TokenLineReader::TokenLineReader(std::string_view body)
    : left_{body}, parser_{std::make_unique<Parser>()} {}

TokenLineReader::~TokenLineReader() = default;

TokenLines TokenLineReader::next(std::size_t lines_max) {
    TokenLines lines;
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
        Result<TokenLine> line = read_line(parser_->json, readable, number_);
        if (line) {
            lines.good.push_back(*std::move(line));
        } else {
            lines.rejected.push_back(
                {.line = number_,
                 .type = fmt::format("/problems/{}", name_of(line.error().kind)),
                 .detail = std::move(line).error().message}
            );
        }
    }
    return lines;
}

}  // namespace footfall::tokens::routes
