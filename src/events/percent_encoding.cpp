#include "events/percent_encoding.h"

#include "events/ascii.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>

namespace footfall::events {
namespace {

/// What stands for itself in a path and in a query: what RFC 3986 has there, but for the
/// apostrophe, which one program encodes and another does not. "/", "?" and "&" have a meaning that
/// their triplets have not, so neither becomes the other.
constexpr std::array<bool, 256> stands_for_itself = [] {
    std::array<bool, 256> stands{};
    for (std::size_t byte = 0; byte < 0x80; ++byte) {
        const char letter = static_cast<char>(byte);
        stands[byte] = is_unreserved(letter) ||
                       std::string_view{"!$&()*+,;=:@/?"}.find(letter) != std::string_view::npos;
    }
    return stands;
}();

constexpr bool stands(char letter) {
    return stands_for_itself[static_cast<unsigned char>(letter)];
}

constexpr int no_digit = -1;

constexpr int hex_value(char letter) {
    if (letter >= '0' && letter <= '9') {
        return letter - '0';
    }
    const char lower = to_lower(letter);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : no_digit;
}

constexpr std::size_t triplet_bytes = 3;

/// The byte that a triplet at the beginning of `text` stands for, if there is one.
std::optional<char> leading_triplet(std::string_view text) {
    if (text.size() < triplet_bytes || text[0] != '%') {
        return std::nullopt;
    }
    const int high = hex_value(text[1]);
    const int low = hex_value(text[2]);
    if (high == no_digit || low == no_digit) {
        return std::nullopt;
    }
    return static_cast<char>(high * 16 + low);
}

void append_triplet(char letter, std::string& to) {
    constexpr std::string_view digits = "0123456789ABCDEF";
    const auto byte = static_cast<unsigned char>(letter);
    const std::array<char, triplet_bytes> triplet{'%', digits[byte / 16], digits[byte % 16]};
    to.append(triplet.data(), triplet.size());
}

}  // namespace

void append_normalised(std::string_view text, std::string& to) {
    while (!text.empty()) {
        const auto end = std::ranges::find_if_not(text, stands);
        to.append(text.begin(), end);
        text = {end, text.end()};
        if (text.empty()) {
            return;
        }
        const std::optional<char> decoded = leading_triplet(text);
        if (decoded && is_unreserved(*decoded)) {
            to += *decoded;
        } else {
            append_triplet(decoded.value_or(text[0]), to);
        }
        text.remove_prefix(decoded ? triplet_bytes : 1);
    }
}

std::string percent_decoded(std::string_view text) {
    std::string decoded;
    decoded.reserve(text.size());
    while (!text.empty()) {
        const std::optional<char> triplet = leading_triplet(text);
        decoded += triplet.value_or(text[0]);
        text.remove_prefix(triplet ? triplet_bytes : 1);
    }
    return decoded;
}

}  // namespace footfall::events
