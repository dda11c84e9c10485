#pragma once

#include "api/answers.h"
#include "foundation/json_string.h"
#include "foundation/result.h"
#include "http_server/request.h"

#include <fmt/format.h>

namespace footfall::timeseries::routes {

/// As KairosDB refuses: 400 {"errors":["metric[0].tags .."]}. Failures that are not the client's
/// fault are told as everywhere else.
inline http_server::Response kairos_error(const Error& error) {
    if (error.kind != ErrorKind::invalid_input) {
        return api::answer_error(error);
    }
    return {
        .status = 400,
        .content_type = "application/json",
        .body = fmt::format("{{\"errors\":[{}]}}\n", json_string(error.message))
    };
}

}  // namespace footfall::timeseries::routes
