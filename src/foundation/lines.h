#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace footfall {

/// Takes the first line off `text`, without its end.
constexpr std::string_view take_line(std::string_view& text) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return line;
}

/// `text` without the spaces, tabs and carriage returns around it.
constexpr std::string_view trimmed(std::string_view text) {
    constexpr std::string_view blank = " \t\r";
    const std::size_t first = text.find_first_not_of(blank);
    if (first == std::string_view::npos) {
        return {};
    }
    return text.substr(first, text.find_last_not_of(blank) + 1 - first);
}

constexpr bool is_blank(std::string_view text) {
    return trimmed(text).empty();
}

}  // namespace footfall
