#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace footfall {

/// Numbers in base 128, lowest seven bits first, bit 80 set on every byte but the last (as in
/// Protocol Buffers): one byte below 128, at most ten. Pure.
inline constexpr std::size_t varint_bytes_max = 10;

/// Writes a number to `at`, which has room for it, and answers the place behind it.
inline char* put_varint(std::uint64_t number, char* at) {
    for (; number >= 0x80; number >>= 7) {
        *at++ = static_cast<char>(number | 0x80);
    }
    *at++ = static_cast<char>(number);
    return at;
}

/// How many bytes it takes.
constexpr std::size_t varint_bytes(std::uint64_t number) {
    return (static_cast<std::size_t>(std::bit_width(number | 1)) + 6) / 7;
}

inline void append_varint(std::uint64_t number, std::string& out) {
    if (number < 0x80) {
        out.push_back(static_cast<char>(number));
        return;
    }
    std::array<char, varint_bytes_max> bytes;
    out.append(bytes.data(), put_varint(number, bytes.data()));
}

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
