#pragma once

#include "http_server/request.h"

#include <string>
#include <string_view>

namespace footfall::http_server {

/// An answer that says what is wrong, for programs and for people (RFC 9457,
/// application/problem+json). `type` is the stable name of the problem, such as "invalid-input"; it
/// is sent as /problems/<type>. `field` names the part of the request at fault, if one is.
Response problem(
    int status, std::string_view type, std::string_view detail, std::string_view field = {}
);

/// "Not Found" for 404; "Unknown" for a status we never send.
std::string_view reason_phrase(int status);

}  // namespace footfall::http_server
