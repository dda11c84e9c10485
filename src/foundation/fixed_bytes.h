#pragma once

#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>

namespace footfall {

/// Appends a number in as many bytes as its type has, lowest byte first on every machine. Pure.
template <std::integral Number>
void append_fixed(Number number, std::string& out) {
    const auto bits = static_cast<std::make_unsigned_t<Number>>(number);
    for (std::size_t at = 0; at < sizeof number; ++at) {
        out.push_back(static_cast<char>(bits >> (8 * at)));
    }
}

/// Takes one off the front of `bytes`. False when they end too early; then nothing was taken.
template <std::integral Number>
bool take_fixed(std::string_view& bytes, Number& number) {
    using Bits = std::make_unsigned_t<Number>;
    if (bytes.size() < sizeof number) {
        return false;
    }
    Bits bits = 0;
    for (std::size_t at = 0; at < sizeof number; ++at) {
        bits |= static_cast<Bits>(Bits{static_cast<unsigned char>(bytes[at])} << (8 * at));
    }
    number = static_cast<Number>(bits);
    bytes.remove_prefix(sizeof number);
    return true;
}

}  // namespace footfall
