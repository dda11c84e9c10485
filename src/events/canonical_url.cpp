#include "events/canonical_url.h"

#include "events/ascii.h"
#include "events/event.h"
#include "events/percent_encoding.h"
#include "events/tracking_parameters.h"
#include "events/url_host.h"
#include "foundation/parse_number.h"
#include "foundation/utf8.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <limits>
#include <optional>

namespace footfall::events {
namespace {

constexpr std::string_view canonical_scheme = "https://";

/// Of a URL, as they are written in it.
struct UrlParts {
    std::string_view host;
    std::string_view port;   ///< Without zeros before it; empty: the usual one.
    std::string_view path;   ///< Empty, or with its "/".
    std::string_view query;  ///< Without its "?".
};

/// Takes what stands before `end` off `text`, and `end` with it; all of it where there is none.
std::string_view take_until(std::string_view& text, char end) {
    const std::size_t length = std::min(text.find(end), text.size());
    const std::string_view taken = text.substr(0, length);
    text.remove_prefix(std::min(length + 1, text.size()));
    return taken;
}

std::string_view without_blanks_around(std::string_view text) {
    constexpr std::string_view blanks = " \t\n\f\r";
    text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
    return text.substr(0, text.find_last_not_of(blanks) + 1);
}

/// Takes "http://" or "https://" off `text`.
bool take_scheme(std::string_view& text) {
    for (const std::string_view scheme : {canonical_scheme, std::string_view{"http://"}}) {
        if (std::ranges::equal(text.substr(0, scheme.size()), scheme, {}, to_lower)) {
            text.remove_prefix(scheme.size());
            return true;
        }
    }
    return false;
}

/// Absent: it is no port.
std::optional<std::string_view> canonical_port(std::string_view digits) {
    if (digits.empty()) {
        return digits;
    }
    const auto number = parse_unsigned(digits);
    if (!number || *number > std::numeric_limits<std::uint16_t>::max()) {
        return std::nullopt;
    }
    if (*number == 80 || *number == 443) {
        return std::string_view{};
    }
    digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size() - 1));
    return digits;
}

/// Host and port of what stands between "//" and the path.
std::optional<UrlParts> split_authority(std::string_view authority) {
    // Browsers take it for a "/", others for a part of the user: so each means another host.
    if (authority.contains('\\')) {
        return std::nullopt;
    }
    authority.remove_prefix(authority.rfind('@') + 1);
    const std::size_t bracket = authority.starts_with('[') ? authority.find(']') : 0;
    const std::size_t colon = authority.find(':', bracket);
    const auto port = canonical_port(
        colon == std::string_view::npos ? std::string_view{} : authority.substr(colon + 1)
    );
    if (!port) {
        return std::nullopt;
    }
    return UrlParts{.host = authority.substr(0, colon), .port = *port, .path = {}, .query = {}};
}

/// Absent: it is no http or https URL. The host is still to be looked at.
std::optional<UrlParts> split_url(std::string_view object) {
    std::string_view text = without_blanks_around(object);
    if (!take_scheme(text) || !is_utf8(text)) {
        return std::nullopt;
    }
    text = text.substr(0, text.find('#'));
    const auto end =
        std::ranges::find_if(text, [](char letter) { return letter == '/' || letter == '?'; });
    std::optional<UrlParts> parts = split_authority({text.begin(), end});
    if (parts) {
        text = {end, text.end()};
        parts->path = take_until(text, '?');
        parts->query = text;
    }
    return parts;
}

/// A segment at a time (RFC 3986, 5.2.4): what ".." takes back has been written already.
void append_path(std::string_view path, std::string& to) {
    const std::size_t begin = to.size();
    for (std::size_t slash = 0; slash != std::string_view::npos;) {
        path.remove_prefix(std::min(slash + 1, path.size()));
        slash = path.find('/');
        to += '/';
        const std::size_t segment = to.size();
        append_normalised(path.substr(0, slash), to);
        const std::string_view written = std::string_view{to}.substr(segment);
        if (written != "." && written != "..") {
            continue;
        }
        const bool up = written == "..";
        to.resize(segment - 1);
        if (up && to.size() > begin) {
            to.resize(to.rfind('/'));
        }
        if (slash == std::string_view::npos) {
            to += '/';
        }
    }
}

void append_query(std::string_view query, std::string& to) {
    char before = '?';
    while (!query.empty()) {
        const std::string_view piece = take_until(query, '&');
        if (piece.empty()) {
            continue;
        }
        const std::size_t begin = to.size();
        to += before;
        append_normalised(piece, to);
        const std::string_view written = std::string_view{to}.substr(begin + 1);
        if (is_tracking_parameter(written.substr(0, written.find('=')))) {
            to.resize(begin);
        } else {
            before = '&';
        }
    }
}

}  // namespace

std::string canonical_url(std::string_view object) {
    const std::optional<UrlParts> parts = split_url(object);
    if (!parts) {
        return std::string{object};
    }
    std::string url;
    // Letters beyond ASCII take three bytes for one; little else is longer than it was.
    const auto beyond =
        static_cast<std::size_t>(std::ranges::count_if(object, std::not_fn(is_ascii)));
    url.reserve(canonical_scheme.size() + object.size() + 2 * beyond);
    url = canonical_scheme;
    if (!append_host(parts->host, url)) {
        return std::string{object};
    }
    if (!parts->port.empty()) {
        url += ':';
        url += parts->port;
    }
    append_path(parts->path, url);
    append_query(parts->query, url);
    return url;
}

std::string article_named(std::string_view object) {
    std::string form = canonical_url(object);
    return form.size() <= longest_name ? form : std::string{object};
}

std::string_view site_of(std::string_view canonical) {
    const std::optional<UrlParts> parts = split_url(canonical);
    std::string host;
    if (!parts || !append_host(parts->host, host)) {
        return {};
    }
    return parts->host;
}

}  // namespace footfall::events
