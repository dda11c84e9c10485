#include "api/parameters.h"

#include "api/answers.h"
#include "events/action.h"
#include "events/event.h"
#include "foundation/names.h"
#include "foundation/parse_number.h"
#include "foundation/utf8.h"
#include "http_server/problem.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace footfall::api {
namespace {

std::unexpected<http_server::Response> refuse(std::string_view name, std::string_view detail) {
    return std::unexpected(http_server::problem(400, "invalid-input", detail, name));
}

}  // namespace

std::optional<http_server::Response> refuse_unknown_parameter(
    const http_server::Request& request, std::initializer_list<std::string_view> known
) {
    std::string_view query = request.query;
    while (!query.empty()) {
        const std::size_t end = std::min(query.find('&'), query.size());
        const std::string_view name = query.substr(0, std::min(query.find('='), end));
        if (!name.empty() && std::ranges::find(known, name) == known.end()) {
            const std::string shown = is_utf8(name) ? std::string{name} : "query";
            return http_server::problem(
                400, "invalid-input", fmt::format("there is no parameter {} here", shown), shown
            );
        }
        query.remove_prefix(std::min(end + 1, query.size()));
    }
    return std::nullopt;
}

Asked<std::string> text_parameter(
    const http_server::Request& request, std::string_view name, std::string otherwise
) {
    std::string_view encoded;
    if (!http_server::query_value(request.query, name, encoded)) {
        return otherwise;
    }
    std::string decoded;
    if (!http_server::percent_decode(encoded, decoded) || !is_utf8(decoded)) {
        return refuse(name, fmt::format("{} is not percent-encoded UTF-8", name));
    }
    return decoded;
}

Asked<std::string> action_parameter(const http_server::Request& request) {
    Asked<std::string> action = text_parameter(request, "action", "view");
    if (action && !events::is_action(*action)) {
        return refuse(
            "action",
            fmt::format(
                "action is a word of a-z, 0-9, \"_\", \"-\" and \".\", of at most {} letters",
                events::longest_action
            )
        );
    }
    return action;
}

Asked<std::optional<std::string>> name_parameter(
    const http_server::Request& request, std::string_view name
) {
    std::string_view ignored;
    if (!http_server::query_value(request.query, name, ignored)) {
        return std::optional<std::string>{};
    }
    Asked<std::string> text = text_parameter(request, name, "");
    if (!text) {
        return std::unexpected(std::move(text).error());
    }
    if (text->empty()) {
        return refuse(name, fmt::format("{} is empty: name one, or leave the parameter out", name));
    }
    return std::optional{*std::move(text)};
}

Asked<std::optional<std::string>> object_parameter(const http_server::Request& request) {
    return name_parameter(request, "object");
}

Asked<std::uint64_t> number_parameter(
    const http_server::Request& request,
    std::string_view name,
    std::uint64_t otherwise,
    std::uint64_t least,
    std::uint64_t most
) {
    const Asked<std::string> text = text_parameter(request, name, std::to_string(otherwise));
    if (!text) {
        return std::unexpected(text.error());
    }
    const auto number = parse_unsigned(*text);
    if (!number || *number < least || *number > most) {
        return refuse(
            name, fmt::format("{} must be a whole number from {} to {}", name, least, most)
        );
    }
    return *number;
}

Asked<std::string> text_in_path(
    const http_server::Request& request, std::size_t at, std::string_view field
) {
    std::string text;
    if (!http_server::percent_decode(request.placeholders[at], text) || text.empty() ||
        !is_utf8(text)) {
        return refuse(
            field, fmt::format("the path has no {} where it belongs: UTF-8, percent-encoded", field)
        );
    }
    return text;
}

Asked<std::string> part_of_path(
    const http_server::Request& request, std::size_t at, std::string_view field
) {
    if (request.placeholders[at].contains('/')) {
        return std::unexpected(http_server::problem(
            404,
            "not-found",
            fmt::format("there is nothing at this path; write a slash of the {} as %2F", field),
            field
        ));
    }
    return text_in_path(request, at, field);
}

Asked<std::string> name_in_path(
    const http_server::Request& request, std::size_t at, std::string_view field, std::size_t longest
) {
    Asked<std::string> name = part_of_path(request, at, field);
    if (name && name->size() > longest) {
        return std::unexpected(http_server::problem(
            414,
            "name-too-long",
            fmt::format("the name of a {} has at most {} bytes", field, longest),
            field
        ));
    }
    if (name && events::has_control_character(*name)) {
        return refuse(field, fmt::format("the name of a {} has no control characters", field));
    }
    return name;
}

Asked<std::string_view> object_in_path(const http_server::Request& request, std::string& scratch) {
    std::string_view object = request.placeholders[0];
    if (object.contains('%')) {
        if (!http_server::percent_decode(object, scratch)) {
            return std::unexpected(http_server::problem(
                400,
                "invalid-input",
                "a % in the path must be followed by two hexadecimal digits",
                "object"
            ));
        }
        object = scratch;
    }
    if (object.size() > longest_name_bytes) {
        return std::unexpected(http_server::problem(
            414,
            "name-too-long",
            fmt::format(
                "the object name has {} bytes, the most is {}", object.size(), longest_name_bytes
            ),
            "object"
        ));
    }
    if (const Result<void> sound = check_name("object name", object); !sound) {
        return std::unexpected(answer_error(sound.error(), "object"));
    }
    return object;
}

}  // namespace footfall::api
