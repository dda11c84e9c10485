#include "moving/tally.h"

#include "foundation/hex.h"
#include "foundation/parse_number.h"
#include "foundation/siphash.h"
#include "moving/sealed_text.h"

#include <fmt/format.h>

namespace footfall::moving {
namespace {

// Part of the format: never changed.
constexpr SipKey low_key{.k0 = 0x666f6f7466616c6c, .k1 = 1};
constexpr SipKey high_key{.k0 = 0x666f6f7466616c6c, .k1 = 2};

/// Both hashes of a part, mixed into those of the part before it.
std::uint64_t chained(SipKey key, std::uint64_t before, std::string_view part) {
    return siphash13({.k0 = key.k0 ^ before, .k1 = key.k1}, part);
}

}  // namespace

void Tally::add(std::string_view key, std::string_view values) {
    ++rows;
    const std::uint64_t row_low = chained(low_key, chained(low_key, 0, key), values);
    const std::uint64_t row_high = chained(high_key, chained(high_key, 0, key), values);
    low += row_low;
    high += row_high + (low < row_low ? 1 : 0);
}

std::string Tally::checksum() const {
    return fmt::format("{:016x}{:016x}", high, low);
}

std::string text_of(const Tally& tally) {
    return fmt::format("{} {}", tally.rows, tally.checksum());
}

Result<Tally> tally_of(std::string_view text) {
    const std::size_t space = text.find(' ');
    const auto rows = parse_unsigned(text.substr(0, space));
    const auto sum = space == std::string_view::npos ? std::nullopt : unhex(text.substr(space + 1));
    if (!rows || !sum || sum->size() != 16) {
        return fail(ErrorKind::corrupt, fmt::format("\"{}\" is no tally", text));
    }
    Tally tally{.rows = *rows};
    for (std::size_t at = 0; at < 8; ++at) {
        tally.high = tally.high << 8 | static_cast<unsigned char>((*sum)[at]);
        tally.low = tally.low << 8 | static_cast<unsigned char>((*sum)[at + 8]);
    }
    return tally;
}

}  // namespace footfall::moving
