#include "http_server/request.h"

#include <algorithm>

namespace footfall::http_server {
namespace {

char lower(char letter) {
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

bool same_ignoring_case(std::string_view left, std::string_view right) {
    return std::ranges::equal(left, right, {}, lower, lower);
}

int hex_digit(char digit) {
    if (digit >= '0' && digit <= '9') {
        return digit - '0';
    }
    const char letter = lower(digit);
    return letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : -1;
}

}  // namespace

std::string_view name_of(Method method) {
    switch (method) {
        case Method::get:
            return "GET";
        case Method::head:
            return "HEAD";
        case Method::put:
            return "PUT";
        case Method::post:
            return "POST";
        case Method::del:
            return "DELETE";
        case Method::options:
            return "OPTIONS";
        case Method::other:
            return "other";
    }
    return "other";
}

std::string_view Request::header(std::string_view name) const {
    for (const auto& [field, value] : headers) {
        if (same_ignoring_case(field, name)) {
            return value;
        }
    }
    return {};
}

void Response::clear() {
    constexpr std::size_t kept_body_bytes = 4 << 10;
    status = 200;
    content_type = text_plain;
    body.clear();
    if (body.capacity() > kept_body_bytes) {
        std::string{}.swap(body);
    }
    static_body = {};
    headers.clear();
    hold_until = 0;
}

bool percent_decode(std::string_view text, std::string& decoded) {
    decoded.clear();
    decoded.reserve(text.size());
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at] != '%') {
            decoded.push_back(text[at]);
            continue;
        }
        if (at + 2 >= text.size()) {
            return false;
        }
        const int high = hex_digit(text[at + 1]);
        const int low = hex_digit(text[at + 2]);
        if (high < 0 || low < 0) {
            return false;
        }
        decoded.push_back(static_cast<char>(high * 16 + low));
        at += 2;
    }
    return true;
}

bool query_value(std::string_view query, std::string_view name, std::string_view& value) {
    while (!query.empty()) {
        const std::size_t end = std::min(query.find('&'), query.size());
        const std::string_view pair = query.substr(0, end);
        const std::size_t equals = std::min(pair.find('='), pair.size());
        if (pair.substr(0, equals) == name) {
            value = pair.substr(std::min(equals + 1, pair.size()));
            return true;
        }
        query.remove_prefix(std::min(end + 1, query.size()));
    }
    return false;
}

bool accepts(std::string_view accept_header, std::string_view type) {
    while (!accept_header.empty()) {
        const std::size_t end = std::min(accept_header.find(','), accept_header.size());
        std::string_view range = accept_header.substr(0, end);
        range = range.substr(0, std::min(range.find(';'), range.size()));
        while (!range.empty() && range.front() == ' ') {
            range.remove_prefix(1);
        }
        while (!range.empty() && range.back() == ' ') {
            range.remove_suffix(1);
        }
        if (same_ignoring_case(range, type)) {
            return true;
        }
        accept_header.remove_prefix(std::min(end + 1, accept_header.size()));
    }
    return false;
}

}  // namespace footfall::http_server
