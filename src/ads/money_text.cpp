#include "ads/money_text.h"

#include <algorithm>

namespace footfall::ads {
namespace {

__extension__ using UnsignedExact = unsigned __int128;

/// An integer that counts 10^-decimals.
std::string text_of(Exact number, std::size_t decimals) {
    const bool is_negative = number < 0;
    auto left = is_negative ? UnsignedExact{0} - static_cast<UnsignedExact>(number)
                            : static_cast<UnsignedExact>(number);
    std::string digits;
    do {
        digits.push_back(static_cast<char>('0' + static_cast<int>(left % 10)));
        left /= 10;
    } while (left != 0 || digits.size() <= decimals);
    std::ranges::reverse(digits);
    digits.insert(digits.size() - decimals, 1, '.');
    digits.erase(digits.find_last_not_of('0') + 1);
    if (digits.ends_with('.')) {
        digits.pop_back();
    }
    return (is_negative ? "-" : "") + digits;
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
