#include "api/answers.h"

#include "foundation/check.h"
#include "http_server/problem.h"

#include <boost/json/serialize.hpp>
#include <boost/json/string.hpp>
#include <fmt/format.h>

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

http_server::Response answer_count(
    const http_server::Request& request,
    std::string_view object,
    std::string_view counter,
    const tokens::Count& count
) {
    http_server::Response response;
    response.hold_until = count.position;
    if (!http_server::accepts(request.header("accept"), "application/json")) {
        response.body = fmt::format("{}\n", count.count);
        return response;
    }
    response.content_type = "application/json";
    response.body = fmt::format(
        R"({{"object":{},"counter":{},"count":{},"exact":{},"at_least":{},"limit":{}}})"
        "\n",
        json_string(object),
        json_string(counter),
        count.count,
        !count.at_least,
        count.at_least,
        count.limit
    );
    return response;
}

std::string json_string(std::string_view text) {
    return boost::json::serialize(boost::json::string_view{text.data(), text.size()});
}

}  // namespace footfall::api
