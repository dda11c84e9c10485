#pragma once

#include "foundation/result.h"

#include <fmt/format.h>

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <utility>

namespace footfall::storage {

/// Calls `ask` with a completion and waits for what it is given, on any thread; absent: nothing in
/// time, and what comes later is dropped.
template <class T, class Ask>
std::optional<Result<T>> wait_for(std::chrono::milliseconds patience, Ask&& ask) {
    // Shared with the completion, which may come when nobody waits any more.
    struct Answer {
        std::mutex mutex;
        std::condition_variable arrived;
        std::optional<Result<T>> result;
    };

    const auto answer = std::make_shared<Answer>();
    std::forward<Ask>(ask)([answer](Result<T> result) {
        const std::scoped_lock lock{answer->mutex};
        answer->result = std::move(result);
        answer->arrived.notify_one();
    });
    std::unique_lock lock{answer->mutex};
    answer->arrived.wait_for(lock, patience, [&] { return answer->result.has_value(); });
    return std::move(answer->result);
}

inline std::unexpected<Error> too_late(
    ErrorKind kind, std::string_view what, std::chrono::milliseconds patience
) {
    return fail(kind, fmt::format("{}: no answer after {} ms", what, patience.count()));
}

}  // namespace footfall::storage
