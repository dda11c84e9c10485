#include "load/http_wire.h"

#include <algorithm>
#include <cctype>

namespace footfall::load {
namespace {

constexpr std::string_view status_start = "HTTP/1.1 ";

bool equal_ignoring_case(std::string_view text, std::string_view lower) {
    for (std::size_t at = 0; at < lower.size(); ++at) {
        if (std::tolower(static_cast<unsigned char>(text[at])) != lower[at]) {
            return false;
        }
    }
    return true;
}

/// The Content-Length among header lines. False: none, or no number; chunked answers are not sent
/// by what we measure.
bool body_length(std::string_view lines, std::uint64_t& length) {
    constexpr std::string_view name = "content-length:";
    while (!lines.empty()) {
        // One comparison tells most lines apart: the colon is where that of Content-Length stands.
        if (lines.size() > name.size() && lines[name.size() - 1] == ':' &&
            equal_ignoring_case(lines, name)) {
            std::string_view value = lines.substr(name.size());
            value.remove_prefix(std::min(value.find_first_not_of(' '), value.size()));
            return read_number(value, length);
        }
        const std::size_t end = lines.find('\n');
        lines.remove_prefix(end == std::string_view::npos ? lines.size() : end + 1);
    }
    return false;
}

/// The count in "43\n", in {"count":43,"at_least":true,...}, in {"accepted":43,...} or in
/// {...,"events":43,...}.
void read_body(std::string_view body, Answer& answer) {
    if (!body.starts_with('{')) {
        answer.has_number = read_number(body, answer.number);
        return;
    }
    for (const std::string_view field : {"\"count\":", "\"accepted\":", "\"events\":"}) {
        const std::size_t at = body.find(field);
        if (at != std::string_view::npos) {
            answer.has_number = read_number(body.substr(at + field.size()), answer.number);
            break;
        }
    }
    answer.at_least = body.find("\"at_least\":true") != std::string_view::npos;
}

}  // namespace

ReadAnswer read_http_answer(std::string_view bytes) {
    const std::size_t end = bytes.find(head_end);
    if (end == std::string_view::npos) {
        return {.state = ReadAnswer::State::incomplete};
    }
    ReadAnswer read{.state = ReadAnswer::State::broken};
    std::uint64_t status = 0;
    std::uint64_t length = 0;
    if (!bytes.starts_with(status_start) ||
        !read_number(bytes.substr(status_start.size()), status) || status > 999 ||
        !body_length(bytes.substr(status_start.size(), end - status_start.size()), length)) {
        return read;
    }
    const std::size_t body_at = end + head_end.size();
    if (length > bytes.size() - body_at) {
        return {.state = ReadAnswer::State::incomplete};
    }
    read.state = ReadAnswer::State::complete;
    read.bytes = body_at + length;
    read.answer.status = static_cast<int>(status);
    read_body(bytes.substr(body_at, length), read.answer);
    return read;
}

}  // namespace footfall::load
