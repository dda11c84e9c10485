#pragma once

#include "foundation/result.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace footfall::storage {

/// What a column of type decimal holds: signed millionths, so 0.005 is 5,000. Whoever adds such
/// numbers up watches for overflow (__builtin_add_overflow).
__extension__ using Wide = __int128;

/// No decimal has more bytes.
inline constexpr std::size_t decimal_bytes_max = sizeof(Wide);

/// A decimal as it travels in a Value: the shortest two's complement, big-endian, at least one
/// byte. Allocates nothing; `view()` lives as long as this.
class DecimalBytes {
public:
    explicit DecimalBytes(Wide millionths);

    std::string_view view() const {
        return std::string_view{bytes_.data(), bytes_.size()}.substr(start_);
    }

private:
    std::array<char, decimal_bytes_max> bytes_;
    std::uint8_t start_;
};

/// The same as a string, for a Value.
std::string decimal_bytes(Wide millionths);

/// The number that such bytes are; they need not be the shortest. `corrupt` when there is none or
/// more than 16.
Result<Wide> decimal_of(std::string_view bytes);

/// Whether these are the bytes of a decimal, and the shortest: equal numbers have equal bytes,
/// which checksums of rows rest on.
bool is_decimal(std::string_view bytes);

/// Always with six decimals: "0.005000", "-12.340000".
std::string decimal_text(Wide millionths);

/// Reads "0.005", "-12", "7.500000": digits, and behind a point at least one decimal and at most
/// six. Absent when it is none, or beyond 128 bits.
std::optional<Wide> parse_decimal(std::string_view text);

}  // namespace footfall::storage
