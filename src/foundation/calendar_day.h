#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace footfall {

/// Reads "2026-11-21" as days since 1970-01-01; absent when it is no day of the years 0000 to 9999
/// (proleptic Gregorian calendar). Pure.
std::optional<std::int32_t> parse_day(std::string_view text);

/// "2026-11-21".
std::string format_day(std::int32_t days);

}  // namespace footfall
