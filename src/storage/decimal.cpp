#include "storage/decimal.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <ranges>

namespace footfall::storage {
namespace {

__extension__ using WideBits = unsigned __int128;

constexpr std::size_t decimals = 6;
constexpr unsigned millionths_a_unit = 1'000'000;

/// How many bytes are needed, one bit of which is the sign.
std::size_t bytes_needed(Wide number) {
    const auto magnitude = static_cast<WideBits>(number < 0 ? ~number : number);
    const auto high = static_cast<std::uint64_t>(magnitude >> 64U);
    const auto low = static_cast<std::uint64_t>(magnitude);
    const int zeros = high != 0 ? std::countl_zero(high) : 64 + std::countl_zero(low);
    return static_cast<std::size_t>(128 - zeros) / 8 + 1;
}

bool is_digit(char letter) {
    return letter >= '0' && letter <= '9';
}

}  // namespace

DecimalBytes::DecimalBytes(Wide millionths)
    : start_{static_cast<std::uint8_t>(decimal_bytes_max - bytes_needed(millionths))} {
    auto bits = static_cast<WideBits>(millionths);
    for (char& byte : std::views::reverse(bytes_)) {
        byte = static_cast<char>(bits);
        bits >>= 8U;
    }
}

std::string decimal_bytes(Wide millionths) {
    return std::string{DecimalBytes{millionths}.view()};
}

Result<Wide> decimal_of(std::string_view bytes) {
    if (bytes.empty() || bytes.size() > decimal_bytes_max) {
        return fail(
            ErrorKind::corrupt,
            fmt::format("a decimal of {} bytes instead of 1 to {}", bytes.size(), decimal_bytes_max)
        );
    }
    const bool negative = static_cast<signed char>(bytes.front()) < 0;
    WideBits bits = negative ? ~WideBits{0} : 0;
    for (const char byte : bytes) {
        bits = bits << 8U | static_cast<unsigned char>(byte);
    }
    return static_cast<Wide>(bits);
}

bool is_decimal(std::string_view bytes) {
    if (bytes.empty() || bytes.size() > decimal_bytes_max) {
        return false;
    }
    // A first byte that only repeats the sign of the second is one too many.
    const auto sign_of = [](char byte) { return static_cast<signed char>(byte) < 0 ? -1 : 0; };
    return bytes.size() == 1 || static_cast<signed char>(bytes[0]) != sign_of(bytes[1]);
}

std::string decimal_text(Wide millionths) {
    const auto bits = static_cast<WideBits>(millionths);
    const WideBits magnitude = millionths < 0 ? -bits : bits;
    return fmt::format(
        "{}{}.{:06}",
        millionths < 0 ? "-" : "",
        magnitude / millionths_a_unit,
        static_cast<unsigned>(magnitude % millionths_a_unit)
    );
}

std::optional<Wide> parse_decimal(std::string_view text) {
    const bool negative = text.starts_with('-');
    text.remove_prefix(negative ? 1 : 0);
    const std::size_t point = std::min(text.find('.'), text.size());
    const std::string_view units = text.substr(0, point);
    const std::string_view part = text.substr(std::min(point + 1, text.size()));
    const bool has_part = point < text.size();
    if (units.empty() || part.empty() == has_part || part.size() > decimals ||
        !std::ranges::all_of(units, is_digit) || !std::ranges::all_of(part, is_digit)) {
        return std::nullopt;
    }
    Wide millionths = 0;
    // Digits of a negative number are taken away: the lowest has no positive counterpart.
    const auto take = [&](char digit) {
        const int value = negative ? '0' - digit : digit - '0';
        return !__builtin_mul_overflow(millionths, Wide{10}, &millionths) &&
               !__builtin_add_overflow(millionths, Wide{value}, &millionths);
    };
    if (!std::ranges::all_of(units, take) || !std::ranges::all_of(part, take)) {
        return std::nullopt;
    }
    for (std::size_t missing = part.size(); missing < decimals; ++missing) {
        if (!take('0')) {
            return std::nullopt;
        }
    }
    return millionths;
}

}  // namespace footfall::storage
