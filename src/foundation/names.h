#pragma once

#include "foundation/result.h"

#include <cstddef>
#include <string_view>

namespace footfall {

inline constexpr std::size_t longest_name_bytes = 1024;

/// Whether `name` can name an object or a counter: UTF-8, 1 to 1024 bytes. `what` says which, for
/// the message.
Result<void> check_name(std::string_view what, std::string_view name);

/// The same of a name that operators give, which stands in addresses and files as it is: 1 to 64
/// letters, digits, '.', '_' and '-'.
Result<void> check_plain_name(std::string_view what, std::string_view name);

}  // namespace footfall
