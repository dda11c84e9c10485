#include "api/answers.h"

#include "foundation/check.h"
#include "http_server/problem.h"

#include <utility>

namespace footfall::api {
namespace {

int status_of(ErrorKind kind) {
    switch (kind) {
        case ErrorKind::invalid_input:
            return 400;
        case ErrorKind::not_found:
            return 404;
        case ErrorKind::conflict:
            return 409;
        case ErrorKind::corrupt:
            return 500;
        case ErrorKind::overloaded:
        case ErrorKind::unavailable:
        case ErrorKind::outcome_unknown:
        case ErrorKind::cancelled:
            return 503;
        case ErrorKind::timed_out:
            return 504;
    }
    CHECK(false, "an error kind without a status", static_cast<int>(kind));
}

}  // namespace

http_server::Response answer_error(const Error& error, std::string_view field) {
    return http_server::problem(status_of(error.kind), name_of(error.kind), error.message, field);
}

http_server::Response json_answer(std::string body, int status) {
    return {
        .status = status,
        .content_type = "application/json",
        .body = std::move(body) + "\n",
        .headers = {{"Cache-Control", "no-store"}}
    };
}

http_server::Response invalid_input(std::string_view detail, std::string_view field) {
    return http_server::problem(400, "invalid-input", detail, field);
}

}  // namespace footfall::api
