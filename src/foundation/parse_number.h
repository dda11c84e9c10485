#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace footfall {

/// The whole of `text` as a decimal number: digits only, no sign, no space, no overflow. Absent
/// otherwise.
std::optional<std::uint64_t> parse_unsigned(std::string_view text);

}  // namespace footfall
