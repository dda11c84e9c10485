#pragma once

namespace footfall::events {

// What a letter of ASCII is, whatever the locale says.

constexpr bool is_ascii(char letter) {
    return static_cast<unsigned char>(letter) < 0x80;
}

constexpr char to_lower(char letter) {
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

constexpr bool is_letter_or_digit(char letter) {
    const char lower = to_lower(letter);
    return (lower >= 'a' && lower <= 'z') || (letter >= '0' && letter <= '9');
}

/// Of a URL: encoded or not, it means the same (RFC 3986, 2.3).
constexpr bool is_unreserved(char letter) {
    return is_letter_or_digit(letter) || letter == '-' || letter == '.' || letter == '_' ||
           letter == '~';
}

}  // namespace footfall::events
