#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace footfall {

/// Numbers in base 128, lowest seven bits first, bit 80 set on every byte but the last (as in
/// Protocol Buffers): one byte below 128, at most ten. Pure.
void append_varint(std::uint64_t number, std::string& out);

/// Takes a number off the front of `bytes`. False when they end too early or say more than 64 bits;
/// what was taken then is void.
bool take_varint(std::string_view& bytes, std::uint64_t& number);

/// Numbers near 0 as small ones whatever their sign: 0, -1, 1, -2 as 0, 1, 2, 3.
constexpr std::uint64_t zigzag(std::int64_t number) {
    return (static_cast<std::uint64_t>(number) << 1) ^ static_cast<std::uint64_t>(number >> 63);
}

constexpr std::int64_t from_zigzag(std::uint64_t bits) {
    return static_cast<std::int64_t>((bits >> 1) ^ (~(bits & 1) + 1));
}

}  // namespace footfall
