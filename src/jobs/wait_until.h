#pragma once

#include "foundation/result.h"
#include "runtime/moment.h"

#include <chrono>
#include <optional>
#include <string>
#include <utility>

namespace footfall::jobs {

/// For who said something to the log and waits until whoever has its lane has taken it in, which
/// may be another process, who tells nobody: calls `look()` (a Result of an optional) again and
/// again until it finds something. `flush()` is called before each look: what this process has
/// taken in itself is to be in rows. Blocks; on threads that may wait.
///
/// `outcome_unknown` after ten seconds: it is in the log, and will be taken in.
template <class Found, class Flush, class Look>
Result<Found> wait_until(const Flush& flush, const Look& look, std::string still_to_come) {
    constexpr std::chrono::seconds patience{10};
    constexpr std::chrono::milliseconds look_every{20};
    const auto deadline = std::chrono::steady_clock::now() + patience;
    for (;;) {
        TRY_VOID(flush());
        TRY(std::optional<Found> found, look());
        if (found) {
            return *std::move(found);
        }
        if (std::chrono::steady_clock::now() >= deadline) {
            return fail(ErrorKind::outcome_unknown, std::move(still_to_come));
        }
        runtime::wait_a_moment(look_every);
    }
}

}  // namespace footfall::jobs
