#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

/// What who writes a block of points and who reads it have in common (docs/formats/point_block.md).
namespace footfall::series {

inline constexpr char block_version = 1;
inline constexpr std::size_t block_checksum_bytes = sizeof(std::uint32_t);
inline constexpr std::int64_t milliseconds_a_second = 1000;

/// What values are written as. Behind `differences` and `second_differences` the decimal places.
enum class BlockValues : std::uint8_t { bits = 0, differences = 1, second_differences = 2 };

inline constexpr unsigned places_max = 6;
inline constexpr std::array<double, places_max + 1> powers_of_ten{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6};

/// How everything behind the head is read.
struct BlockForm {
    bool in_seconds = false;
    BlockValues values = BlockValues::bits;
    unsigned places = 0;

    char byte() const {
        return static_cast<char>(
            (in_seconds ? 1U : 0U) | static_cast<unsigned>(values) << 1 | places << 3
        );
    }

    static std::optional<BlockForm> of(char byte) {
        const auto bits = static_cast<unsigned char>(byte);
        const unsigned values = bits >> 1 & 3U;
        const unsigned places = bits >> 3;
        if (values > 2 || places > places_max || (values == 0 && places > 0)) {
            return std::nullopt;
        }
        return BlockForm{
            .in_seconds = (bits & 1U) != 0,
            .values = static_cast<BlockValues>(values),
            .places = places
        };
    }
};

/// Widths of the classes of a number: it stands in the first that it fits, after as many ones as
/// there are classes before, and a zero.
inline constexpr std::uint32_t number_classes = 6;
using Widths = std::array<unsigned, number_classes>;
inline constexpr Widths time_widths{0, 7, 9, 12, 32, 64};
inline constexpr Widths value_widths{0, 4, 8, 13, 32, 64};

}  // namespace footfall::series
