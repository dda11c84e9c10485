#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace footfall::events {

/// Money in integer millionths of the currency's unit.
using Micros = std::int64_t;

inline constexpr Micros micros_a_unit = 1'000'000;
/// No amount is larger, so that a billion of them can be added up in 128 bits without a thought.
inline constexpr Micros largest_amount = 1'000'000'000'000 * micros_a_unit;

/// Reads "12", "-0.005", "3.10": decimal text with at most six decimals, no exponent, no more than
/// largest_amount. Absent when it is none, exact else. Pure.
std::optional<Micros> parse_money(std::string_view text);

/// The shortest such text.
std::string format_money(Micros amount);

}  // namespace footfall::events
