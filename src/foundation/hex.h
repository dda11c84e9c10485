#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace footfall {

/// Bytes as hexadecimal digits in small letters, two each.
std::string hex(std::string_view bytes);

/// The bytes of what hex() answered; absent: these are no such digits.
std::optional<std::string> unhex(std::string_view digits);

}  // namespace footfall
