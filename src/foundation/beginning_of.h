#pragma once

#include <cstddef>
#include <string_view>

namespace footfall {

/// At most so many bytes of UTF-8 from its beginning, of whole characters: for messages. Pure.
inline std::string_view beginning_of(std::string_view text, std::size_t bytes_max) {
    if (text.size() <= bytes_max) {
        return text;
    }
    constexpr unsigned char follows = 0x80;
    constexpr unsigned char top_bits = 0xc0;
    std::size_t end = bytes_max;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & top_bits) == follows) {
        --end;
    }
    return text.substr(0, end);
}

}  // namespace footfall
