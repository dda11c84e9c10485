#include "ads/money_text.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace footfall::ads {
namespace {

__extension__ using UnsignedExact = unsigned __int128;

/// 39 digits, a sign and a point.
constexpr std::size_t longest = 41;

/// Takes the last digit off. Most numbers have room in 64 bits, which are divided far sooner.
int next_digit(UnsignedExact& number) {
    constexpr unsigned base = 10;
    if (number <= std::numeric_limits<std::uint64_t>::max()) {
        const auto narrow = static_cast<std::uint64_t>(number);
        number = narrow / base;
        return static_cast<int>(narrow % base);
    }
    const int digit = static_cast<int>(number % base);
    number /= base;
    return digit;
}

/// An integer that counts 10^-decimals.
std::string text_of(Exact number, std::size_t decimals) {
    const bool is_negative = number < 0;
    auto left = is_negative ? UnsignedExact{0} - static_cast<UnsignedExact>(number)
                            : static_cast<UnsignedExact>(number);
    // From the last digit to the first. Zeros at the end are left out, and the point behind them.
    std::array<char, longest> text{};
    auto* begin = text.end();
    auto* end = text.end();
    for (std::size_t digit = 0; left != 0 || digit <= decimals; ++digit) {
        if (digit == decimals && begin != end) {
            *--begin = '.';
        }
        const auto value = next_digit(left);
        if (value != 0 || begin != end || digit >= decimals) {
            *--begin = static_cast<char>('0' + value);
        }
    }
    if (is_negative) {
        *--begin = '-';
    }
    return {begin, end};
}

}  // namespace

std::string money_text(WideMicros amount) {
    constexpr std::size_t decimals = 6;
    return text_of(amount, decimals);
}

std::string exact_text(Exact amount) {
    constexpr std::size_t decimals = 12;
    return text_of(amount, decimals);
}

}  // namespace footfall::ads
