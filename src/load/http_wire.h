#pragma once

#include "load/protocol.h"
#include "load/wire_text.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace footfall::load {

/// What follows the target in every request, up to its own headers.
inline std::string common_head(const std::string& host, const std::string& authorization) {
    std::string head = " HTTP/1.1\r\nHost: " + host + "\r\n";
    return authorization.empty() ? head : head + "Authorization: " + authorization + "\r\n";
}

inline constexpr std::string_view head_end = "\r\n\r\n";

/// The first HTTP answer in a buffer. Its number is that of the first of the fields count, accepted
/// and events in a JSON object, or the body itself.
ReadAnswer read_http_answer(std::string_view bytes);

/// Ends a head that stops behind "Content-Length: " and appends the body that `write` appends to
/// `out`. The length comes before the body: room of fixed width is left and filled in after.
template <class Write>
void append_body(std::string& out, Write write) {
    constexpr std::size_t length_width = 9;
    const std::size_t length_at = out.size();
    out.append(length_width, '0').append(head_end);
    const std::size_t body_at = out.size();
    write(out);
    const Digits length{out.size() - body_at};
    out.replace(
        length_at + length_width - length.text().size(), length.text().size(), length.text()
    );
}

}  // namespace footfall::load
