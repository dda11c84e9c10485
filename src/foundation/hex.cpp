#include "foundation/hex.h"

namespace footfall {
namespace {

/// 16 for what is no digit.
unsigned digit(char character) {
    if (character >= '0' && character <= '9') {
        return static_cast<unsigned>(character - '0');
    }
    return character >= 'a' && character <= 'f' ? static_cast<unsigned>(character - 'a' + 10) : 16;
}

}  // namespace

std::string hex(std::string_view bytes) {
    std::string digits;
    digits.reserve(2 * bytes.size());
    for (const char byte : bytes) {
        constexpr std::string_view all = "0123456789abcdef";
        digits.push_back(all[static_cast<unsigned char>(byte) >> 4]);
        digits.push_back(all[static_cast<unsigned char>(byte) & 15]);
    }
    return digits;
}

std::optional<std::string> unhex(std::string_view digits) {
    std::string bytes;
    if (digits.size() % 2 != 0) {
        return std::nullopt;
    }
    for (std::size_t at = 0; at < digits.size(); at += 2) {
        const unsigned high = digit(digits[at]);
        const unsigned low = digit(digits[at + 1]);
        if (high > 15 || low > 15) {
            return std::nullopt;
        }
        bytes.push_back(static_cast<char>(high << 4 | low));
    }
    return bytes;
}

}  // namespace footfall
