#include "sketches/token_code.h"

#include "foundation/varint.h"
#include "sketches/bit_stream.h"

#include <algorithm>
#include <bit>
#include <cstdint>

namespace footfall::sketches {
namespace {

/// Of a gap so many low bits are written as they are, and the rest in unary: about the logarithm of
/// the mean gap.
unsigned plain_bits(std::size_t tokens) {
    const std::uint64_t mean = (std::uint64_t{1} << token_low_bits) / (tokens + 1);
    return static_cast<unsigned>(std::bit_width(mean)) - 1;
}

std::uint32_t low_bits(HashToken token) {
    return token >> token_zeros_bits;
}

}  // namespace

void append_tokens(std::span<const HashToken> tokens, std::string& out) {
    append_varint(tokens.size(), out);
    const unsigned plain = plain_bits(tokens.size());
    BitWriter bits{out};
    std::uint32_t previous = 0;
    for (const HashToken token : tokens) {
        const std::uint32_t gap = low_bits(token) - previous;
        previous = low_bits(token);
        bits.put(gap, plain);
        bits.put_unary(gap >> plain);
        bits.put_unary(token_zeros(token));
    }
}

Result<std::vector<HashToken>> read_tokens(std::string_view bytes, std::size_t most) {
    const auto corrupt = [] { return fail(ErrorKind::corrupt, "a sketch's tokens are damaged"); };
    std::uint64_t count = 0;
    if (!take_varint(bytes, count) || count > most) {
        return corrupt();
    }
    const unsigned plain = plain_bits(static_cast<std::size_t>(count));
    BitReader bits{bytes};
    std::vector<HashToken> tokens;
    tokens.reserve(count);
    std::uint64_t low = 0;
    for (std::uint64_t at = 0; at < count && bits.is_sound(); ++at) {
        const std::uint32_t rest = bits.take(plain);
        low += (std::uint64_t{bits.take_unary(1U << (token_low_bits - plain))} << plain) | rest;
        const std::uint32_t zeros = bits.take_unary(token_zeros_max);
        const auto token = static_cast<HashToken>(low << token_zeros_bits | zeros);
        if (low >> token_low_bits != 0 || (!tokens.empty() && token <= tokens.back())) {
            return corrupt();
        }
        tokens.push_back(token);
    }
    if (!bits.is_done()) {
        return corrupt();
    }
    return tokens;
}

}  // namespace footfall::sketches
