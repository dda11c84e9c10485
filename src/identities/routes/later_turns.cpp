#include "identities_routes/later_turns.h"

#include <fmt/format.h>

#include <algorithm>

namespace footfall::identities::routes {
namespace {

using std::chrono::milliseconds;

/// What this process noted is found at once, what others did by looking.
constexpr milliseconds own_period{50};
constexpr milliseconds others_period{1000};
/// What hangs together with much takes long: others have their turn for as long.
constexpr milliseconds longest_rest{10'000};

}  // namespace

Result<void> LaterTurns::start() {
    TRY_VOID(later_.look());
    turns_.emplace("settling", runtime::Urgency::background, [this](const std::stop_token& stop) {
        return turn(stop);
    });
    return {};
}

void LaterTurns::stop() {
    if (turns_) {
        turns_->stop();
    }
}

/// That a store is away is said by the store itself.
milliseconds LaterTurns::turn(const std::stop_token& stop) {
    const auto begin = std::chrono::steady_clock::now();
    if (begin < next_look_ && identities_->settling().noted().fresh() == 0) {
        return own_period;
    }
    const Result<bool> more = later_.go_on(stop);
    if (!more && more.error().kind != ErrorKind::cancelled &&
        more.error().kind != ErrorKind::unavailable) {
        troubles_.say(
            LogLevel::warning,
            fmt::format("identities: what was noted is not settled: {}", more.error().message)
        );
    }
    const auto end = std::chrono::steady_clock::now();
    next_look_ = more && *more ? end : end + others_period;
    const auto took = std::chrono::duration_cast<milliseconds>(end - begin);
    return more ? std::clamp(took, own_period, longest_rest) : others_period;
}

}  // namespace footfall::identities::routes
