#pragma once

#include "foundation/result.h"

#include <string_view>

namespace footfall::tokens {

/// Whether `token` can be a token: 1 to 1024 bytes of anything.
Result<void> check_token(std::string_view token);

}  // namespace footfall::tokens
