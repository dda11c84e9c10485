#include "http_server/output.h"

#include "http_server/problem.h"
#include "net/gate.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <ctime>
#include <utility>

namespace footfall::http_server {
namespace {

/// An output that has nothing to send keeps no more memory than this.
constexpr std::size_t kept_bytes = 4 << 10;

void append_number(std::string& text, std::size_t number, int base = 10) {
    std::array<char, 20> digits;
    const auto [end, error] =
        std::to_chars(digits.data(), digits.data() + digits.size(), number, base);
    text.append(digits.data(), end);
}

void append_status_line(std::string& text, int status) {
    if (status == 200) {
        text += "HTTP/1.1 200 OK";
        return;
    }
    text += "HTTP/1.1 ";
    append_number(text, static_cast<std::size_t>(status));
    text += ' ';
    text += reason_phrase(status);
}

}  // namespace

std::string common_lines() {
    return fmt::format(
        "\r\nDate: {:%a, %d %b %Y %H:%M:%S GMT}\r\nX-Content-Type-Options: nosniff\r\n"
        "Content-Type: ",
        fmt::gmtime(std::time(nullptr))
    );
}

void Output::add_head(
    const Response& response, std::string_view connection, std::string_view common_lines
) {
    append_status_line(text_, response.status);
    text_ += common_lines;
    text_ += response.content_type;
    text_ += "\r\n";
    for (const auto& [name, value] : response.headers) {
        text_ += name;
        text_ += ": ";
        text_ += value;
        text_ += "\r\n";
    }
    text_ += connection;
}

void Output::add_answer(const Response& response, Form form, std::string_view common_lines) {
    const std::size_t start = text_.size();
    add_head(response, form.connection, common_lines);
    if (response.status == 204 || response.status == 304) {  // have no body by definition
        text_ += "\r\n";
    } else {
        const std::string_view body = response.payload();
        text_ += "Content-Length: ";
        append_number(text_, body.size());
        text_ += "\r\n\r\n";
        text_ += form.head_only ? std::string_view{} : body;
    }
    if (response.hold_until != 0) {
        held_.push_back(
            {.start = start, .end = text_.size(), .position = response.hold_until, .form = form}
        );
        held_until_ = std::max(held_until_, response.hold_until);
    }
}

void Output::add_chunk(std::string_view piece) {
    append_number(text_, piece.size(), 16);
    text_ += "\r\n";
    text_ += piece;
    text_ += "\r\n";
}

std::size_t Output::settle(
    const net::Gate& gate, const std::function<Response()>& unknown, std::string_view common_lines
) {
    held_until_ = 0;
    std::size_t failed = 0;
    const bool all_open =
        std::ranges::all_of(held_, [&](const Held& held) { return gate.open(held.position); });
    if (!all_open) {
        const std::string text = std::exchange(text_, {});
        std::size_t copied = 0;
        for (const Held& held : std::exchange(held_, {})) {
            if (!gate.open(held.position)) {
                text_.append(text, copied, held.start - copied);
                add_answer(unknown(), held.form, common_lines);
                copied = held.end;
                ++failed;
            }
        }
        text_.append(text, copied);
    }
    held_.clear();
    return failed;
}

void Output::sent(std::size_t count) {
    sent_ += count;
    if (sent_ == text_.size()) {
        text_.clear();
        sent_ = 0;
        if (text_.capacity() > kept_bytes) {
            release();
        }
    }
}

void Output::release() {
    std::string{}.swap(text_);
    std::vector<Held>{}.swap(held_);
}

}  // namespace footfall::http_server
