#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>

namespace footfall {

/// The whole of `text` as a decimal number: digits only, no sign, no space, no overflow. Absent
/// otherwise.
std::optional<std::uint64_t> parse_unsigned(std::string_view text);

/// "90", "90s", "15m", "2h" or "7d" as seconds; absent otherwise.
std::optional<std::chrono::seconds> parse_duration(std::string_view text);

}  // namespace footfall
