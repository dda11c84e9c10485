#include "tokens_routes/count_answer.h"

#include "foundation/json_string.h"

#include <array>
#include <charconv>
#include <cstdint>
#include <string>

namespace footfall::tokens::routes {
namespace {

void append_number(std::string& text, std::uint64_t number) {
    std::array<char, 20> digits;
    const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), number);
    text.append(digits.data(), end);
}

}  // namespace

void answer_count(
    http_server::Response& response,
    const http_server::Request& request,
    std::string_view object,
    std::string_view counter,
    const Count& count
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

}  // namespace footfall::tokens::routes
