#include "api/answers.h"

#include "foundation/check.h"
#include "foundation/json_string.h"
#include "http_server/problem.h"

#include <array>
#include <charconv>
#include <cstdint>

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

void append_number(std::string& text, std::uint64_t number) {
    std::array<char, 20> digits;
    const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), number);
    text.append(digits.data(), end);
}

}  // namespace

http_server::Response answer_error(const Error& error, std::string_view field) {
    return http_server::problem(status_of(error.kind), name_of(error.kind), error.message, field);
}

void answer_count(
    http_server::Response& response,
    const http_server::Request& request,
    std::string_view object,
    std::string_view counter,
    const tokens::Count& count
) {
    response.hold_until = count.position;
    std::string& body = response.body;
    const std::string_view accept = request.known.accept;
    if (accept.empty() || !http_server::accepts(accept, "application/json")) {
        append_number(body, count.count);
        body += '\n';
        return;
    }
    response.content_type = "application/json";
    body += R"({"object":)";
    append_json_string(body, object);
    body += R"(,"counter":)";
    append_json_string(body, counter);
    body += R"(,"count":)";
    append_number(body, count.count);
    body += count.at_least ? R"(,"exact":false,"at_least":true,"limit":)"
                           : R"(,"exact":true,"at_least":false,"limit":)";
    append_number(body, count.limit);
    body += "}\n";
}

}  // namespace footfall::api
