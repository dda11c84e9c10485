#pragma once

#include "api/answers.h"
#include "api/parameters.h"

#include <fmt/format.h>

#include <string>
#include <string_view>

namespace footfall::api {

/// A query parameter that is true or false, also as 1 or 0; without a value it is true, and absent
/// it is false. Refused if it is anything else.
inline Asked<bool> flag_parameter(const http_server::Request& request, std::string_view name) {
    const Asked<std::string> text = text_parameter(request, name, "false");
    if (!text) {
        return std::unexpected(text.error());
    }
    if (*text == "1" || *text == "true" || text->empty()) {
        return true;
    }
    if (*text == "0" || *text == "false") {
        return false;
    }
    return std::unexpected(invalid_input(fmt::format("{} must be true or false", name), name));
}

}  // namespace footfall::api
