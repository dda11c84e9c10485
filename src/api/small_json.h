#pragma once

#include "api/parameters.h"

#include <boost/json/object.hpp>

#include <cstddef>
#include <initializer_list>
#include <string_view>

namespace footfall::api {

inline constexpr std::size_t small_json_bytes_max = 8 << 10;

/// A text that is one small JSON object with none but the `known` fields. Refused otherwise, with
/// the field at fault. `what`: how the refusal calls the text.
Asked<boost::json::object> small_json(
    std::string_view text, std::string_view what, std::initializer_list<std::string_view> known
);

/// The same of the body of a request. For what is asked seldom: events and tokens have readers of
/// their own.
Asked<boost::json::object> small_json_body(
    const http_server::Request& request, std::initializer_list<std::string_view> known
);

}  // namespace footfall::api
