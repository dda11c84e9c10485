#pragma once

#include <cstddef>
#include <string>
#include <string_view>

// Money and shares as a statement prints them, made of the decimal text that the API answers. Pure.

namespace footfall::ads::routes {

/// Money has at least so many.
inline constexpr std::size_t least_decimals = 2;

/// Digits behind the point: 3 of "-0.005".
std::size_t decimals_of(std::string_view money);

/// Grouped, with a minus sign, and with `decimals` decimals at least: "-1234.5" is "−1,234.50".
std::string money_figure(std::string_view money, std::size_t decimals);

/// "0.325" is "32.5 %"; nothing is nothing. The text must be a share as format_share() writes it.
std::string share_figure(std::string_view share);

}  // namespace footfall::ads::routes
