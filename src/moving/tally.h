#pragma once

#include "foundation/result.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace footfall::moving {

/// How many rows, and a checksum over them that does not depend on their order: two stores that
/// hold the same rows have the same tally, in whatever order they are read. The sum, modulo 2^128,
/// of a 128-bit hash of each row as docs/formats/keys.md encodes it. Against accidents, not against
/// somebody who looks for rows with a given sum. Not thread-safe.
struct Tally {
    std::uint64_t rows = 0;
    std::uint64_t low = 0;
    std::uint64_t high = 0;

    /// About 20 ns and 2 a byte.
    void add(std::string_view key, std::string_view values);

    /// The checksum as 32 hexadecimal digits.
    std::string checksum() const;

    friend bool operator==(const Tally&, const Tally&) = default;
};

/// "ROWS CHECKSUM", and back.
std::string text_of(const Tally& tally);
Result<Tally> tally_of(std::string_view text);

}  // namespace footfall::moving
