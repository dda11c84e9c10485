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

}  // namespace footfall
