#include "records/access_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

namespace footfall::records {
namespace {

constexpr std::array<std::string_view, access_field_count> field_names = {
    "address", "user", "time", "method", "url", "status", "bytes", "referrer", "agent"
};
constexpr std::size_t common_field_count = 7;

std::unexpected<Error> wrong_line(std::string reason) {
    return fail(ErrorKind::invalid_input, std::move(reason));
}

bool is_digit(char byte) {
    return byte >= '0' && byte <= '9';
}

bool is_method_letter(char byte) {
    const auto lower = static_cast<char>(byte | 0x20);
    return (lower >= 'a' && lower <= 'z') || byte == '-' || byte == '_';
}

/// Walks along a line, field by field.
class Cursor {
public:
    explicit Cursor(std::string_view line) : rest_{line} {}

    /// A field without spaces and the space behind it.
    Result<std::string_view> word(std::string_view field) {
        const auto end = rest_.find(' ');
        if (end == std::string_view::npos) {
            return wrong_line(fmt::format("the line ends after the {}", field));
        }
        if (end == 0) {
            return wrong_line(fmt::format("the {} is missing", field));
        }
        const auto text = rest_.substr(0, end);
        rest_.remove_prefix(end + 1);
        return text;
    }

    /// A field that may hold spaces, up to the bracket of the time.
    Result<std::string_view> user() {
        const auto end = rest_.find(" [");
        if (end == std::string_view::npos || end == 0) {
            return wrong_line(
                end == 0 ? "the user is missing" : "the opening bracket of the time is missing"
            );
        }
        const auto text = rest_.substr(0, end);
        rest_.remove_prefix(end + 1);
        return text;
    }

    Result<std::string_view> bracketed_time() {
        const auto end = rest_.find(']');
        if (end == std::string_view::npos) {
            return wrong_line("the closing bracket of the time is missing");
        }
        const auto text = rest_.substr(1, end - 1);
        rest_.remove_prefix(end + 1);
        if (text.empty()) {
            return wrong_line("the time is empty");
        }
        return text;
    }

    /// A space, then a field in quotes. A quote behind an odd number of backslashes is part of it.
    Result<std::string_view> quoted(std::string_view field) {
        if (!rest_.starts_with(" \"")) {
            return wrong_line(
                rest_.empty() ? fmt::format("the {} is missing", field)
                              : fmt::format("the {}'s opening quote is missing", field)
            );
        }
        rest_.remove_prefix(2);
        for (auto end = rest_.find('"'); end != std::string_view::npos;
             end = rest_.find('"', end + 1)) {
            auto backslashes = end;
            while (backslashes > 0 && rest_[backslashes - 1] == '\\') {
                --backslashes;
            }
            if ((end - backslashes) % 2 == 0) {
                const auto text = rest_.substr(0, end);
                rest_.remove_prefix(end + 1);
                return text;
            }
        }
        return wrong_line(fmt::format("the {}'s closing quote is missing", field));
    }

    /// A space, then what reaches to the next space or the end.
    Result<std::string_view> last_word(std::string_view field) {
        if (!rest_.starts_with(' ')) {
            return wrong_line(
                rest_.empty() ? fmt::format("the {} is missing", field)
                              : fmt::format("there is no space before the {}", field)
            );
        }
        const auto text = rest_.substr(1, rest_.find(' ', 1) - 1);
        rest_.remove_prefix(1 + text.size());
        return text;
    }

    std::string_view rest() const { return rest_; }

private:
    std::string_view rest_;
};

struct Request {
    std::string_view method;
    std::string_view url;
};

/// METHOD URL PROTOCOL, or METHOD URL.
Result<Request> parse_request(std::string_view request) {
    const auto method = request.substr(0, request.find(' '));
    if (method.empty() || !std::ranges::all_of(method, is_method_letter)) {
        return wrong_line("the request does not begin with a method");
    }
    auto url = request.substr(std::min(method.size() + 1, request.size()));
    if (const auto protocol = url.rfind(' ') + 1; url.substr(protocol).starts_with("HTTP/")) {
        url = url.substr(0, protocol > 0 ? protocol - 1 : 0);
    }
    if (url.empty()) {
        return wrong_line("the request has no url");
    }
    return Request{.method = method, .url = url};
}

Result<void> check_numbers(std::string_view status, std::string_view bytes) {
    if (status.size() != 3 || !std::ranges::all_of(status, is_digit)) {
        return wrong_line("the status is not a number of three digits");
    }
    if (bytes != "-" && (bytes.empty() || !std::ranges::all_of(bytes, is_digit))) {
        return wrong_line("the bytes are neither a number nor -");
    }
    return {};
}

}  // namespace

std::span<const std::string_view> access_field_names(AccessLogFormat format) {
    return std::span{field_names}.first(
        format == AccessLogFormat::common ? common_field_count : field_names.size()
    );
}

Result<AccessFields> parse_access_line(std::string_view line, AccessLogFormat format) {
    Cursor cursor{line};
    TRY(const auto address, cursor.word("address"));
    TRY_VOID(cursor.word("ident"));
    TRY(const auto user, cursor.user());
    TRY(const auto time, cursor.bracketed_time());
    TRY(const auto request_line, cursor.quoted("request"));
    TRY(const auto request, parse_request(request_line));
    TRY(const auto status, cursor.last_word("status"));
    TRY(const auto bytes, cursor.last_word("number of bytes"));
    TRY_VOID(check_numbers(status, bytes));
    if (format == AccessLogFormat::common) {
        if (!cursor.rest().empty()) {
            return wrong_line("text follows the bytes; a log with referrer and agent is combined");
        }
        return AccessFields{address, user, time, request.method, request.url, status, bytes};
    }
    TRY(const auto referrer, cursor.quoted("referrer"));
    TRY(const auto agent, cursor.quoted("agent"));
    if (!cursor.rest().empty() && cursor.rest().front() != ' ') {
        return wrong_line("text follows the agent's closing quote");
    }
    return AccessFields{
        address, user, time, request.method, request.url, status, bytes, referrer, agent
    };
}

}  // namespace footfall::records
