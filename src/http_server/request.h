#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace footfall::http_server {

enum class Method { get, head, put, post, del, options, other };

std::string_view name_of(Method method);

/// How many placeholders the pattern of a route may have.
inline constexpr std::size_t placeholders_max = 4;

/// A complete request. Views point into the connection's buffers: valid until the handler has
/// ended.
struct Request {
    Method method = Method::other;
    std::string_view path;   ///< As sent, still percent-encoded, without the query.
    std::string_view query;  ///< As sent, without the '?'.
    std::string_view body;   ///< Content-Length and chunked bodies alike, as bytes.
    std::size_t length = 0;  ///< Of the body, as the header says; 0 if it does not say.
    std::string_view peer;   ///< The client's address, without the port.
    std::vector<std::pair<std::string_view, std::string_view>> headers;

    /// The headers that many requests ask for, found while they were read: the first of each name,
    /// empty if there is none.
    struct Known {
        std::string_view host;  ///< Or the host that the target itself names.
        std::string_view origin;
        std::string_view accept;
        std::string_view content_encoding;
        std::size_t hosts = 0;  ///< How many Host headers there are.
    };

    Known known;

    /// The first header of this name (any case); empty if there is none.
    std::string_view header(std::string_view name) const;

    /// The parts of the path that the placeholders of the route's pattern stand for, in their
    /// order, still percent-encoded; set by the router. Those that the pattern does not have say
    /// nothing.
    std::array<std::string_view, placeholders_max> placeholders;
};

/// An answer. Content-Length, Connection and Date are the connection's business.
struct Response {
    static constexpr std::string_view text_plain = "text/plain; charset=utf-8";

    int status = 200;
    std::string_view content_type = text_plain;  ///< Must live as long as the program.
    std::string body = {};
    /// Sent instead of `body` if not empty; must live as long as the program.
    std::string_view static_body = {};
    std::vector<std::pair<std::string, std::string>> headers = {};
    /// The answer is held back until the server's Gate is open up to here; 0: it leaves at once.
    std::uint64_t hold_until = 0;

    /// As new, but with its memory kept, if that is not much.
    void clear();

    std::string_view payload() const {
        return static_body.empty() ? std::string_view{body} : static_body;
    }
};

/// Decodes %XX; nothing else (a '+' stays a '+'). False if a '%' is not followed by two hex digits.
bool percent_decode(std::string_view text, std::string& decoded);

/// The value of `name` in a query string, percent-encoded still; nothing when it is absent. `a=` is
/// there and empty.
bool query_value(std::string_view query, std::string_view name, std::string_view& value);

/// Whether an Accept header asks for `type` ("application/json") rather than the default.
bool accepts(std::string_view accept_header, std::string_view type);

}  // namespace footfall::http_server
