#pragma once

#include "foundation/result.h"

#include <chrono>
#include <functional>

namespace footfall::storage {

/// Calls `write` until it answers anything but `overloaded`, for `patience` at most: a store that
/// is full empties by itself, and tells nobody. By a thread that may wait.
Result<void> write_when_there_is_room(
    const std::function<Result<void>()>& write,
    std::chrono::milliseconds patience = std::chrono::seconds{60}
);

}  // namespace footfall::storage
