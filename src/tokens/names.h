#pragma once

#include "foundation/result.h"

#include <cstddef>
#include <string_view>

namespace footfall::tokens {

inline constexpr std::size_t longest_name_bytes = 1024;

/// Whether `name` can name an object or a counter: UTF-8, 1 to 1024 bytes. `what` says which, for
/// the message.
Result<void> check_name(std::string_view what, std::string_view name);

/// Whether `token` can be a token: 1 to 1024 bytes of anything.
Result<void> check_token(std::string_view token);

}  // namespace footfall::tokens
