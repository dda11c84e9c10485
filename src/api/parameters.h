#pragma once

#include "foundation/result.h"
#include "http_server/request.h"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

namespace footfall::api {

/// What a request asks for, or the answer that refuses it and names the field at fault.
template <class T>
using Asked = std::expected<T, http_server::Response>;

/// The refusal of a query parameter that is none of `known`: a misspelt one must not be ignored.
/// Absent: there is none such.
std::optional<http_server::Response> refuse_unknown_parameter(
    const http_server::Request& request, std::initializer_list<std::string_view> known
);

/// A query parameter, percent-decoded; `otherwise` if it is absent; refused if it is not UTF-8.
Asked<std::string> text_parameter(
    const http_server::Request& request, std::string_view name, std::string otherwise
);

/// A whole number from `least` to `most`; `otherwise` if the parameter is absent.
Asked<std::uint64_t> number_parameter(
    const http_server::Request& request,
    std::string_view name,
    std::uint64_t otherwise,
    std::uint64_t least,
    std::uint64_t most
);

/// The action that ?action= names, or "view"; refused if no event can have it.
Asked<std::string> action_parameter(const http_server::Request& request);

/// A name, which may be left out but not be empty.
Asked<std::optional<std::string>> name_parameter(
    const http_server::Request& request, std::string_view name
);

/// ?object=, which may be left out but not be empty.
Asked<std::optional<std::string>> object_parameter(const http_server::Request& request);

/// What the placeholder `at` of the route stands for, percent-decoded. Refused, under the name
/// `field`, if it is empty or not UTF-8.
Asked<std::string> text_in_path(
    const http_server::Request& request, std::size_t at, std::string_view field
);

/// The same where what follows in the path names something else, so a slash of its own is encoded:
/// 404 for one that is not.
Asked<std::string> part_of_path(
    const http_server::Request& request, std::size_t at, std::string_view field
);

/// The same for a name of at most `longest` bytes without control characters.
Asked<std::string> name_in_path(
    const http_server::Request& request, std::size_t at, std::string_view field, std::size_t longest
);

/// The object that the first placeholder stands for, percent-decoded: of the request, or of
/// `scratch`, which is only touched if there was something to decode. Refused if it is no name of
/// an object.
Asked<std::string_view> object_in_path(const http_server::Request& request, std::string& scratch);

}  // namespace footfall::api
