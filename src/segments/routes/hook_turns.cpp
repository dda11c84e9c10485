#include "segments_routes/hook_turns.h"

#include "webhooks/hook_rows.h"

#include <fmt/format.h>

namespace footfall::segments::routes {
namespace {

using std::chrono::milliseconds;

/// Hooks that were said elsewhere, or here, hold within it.
constexpr milliseconds refresh_period{1000};
constexpr milliseconds hooks_idle{200};
constexpr milliseconds hooks_after_failure{1000};

}  // namespace

Result<Erasing::Hearers> read_hearers(storage::Store& store) {
    TRY(const webhooks::Hooks hooks, webhooks::read_hooks(store));
    TRY(const webhooks::AllProgress all, webhooks::read_progress(store));
    Erasing::Hearers hearers;
    for (const auto& [name, hook] : hooks) {
        const auto progress = all.find({name, hook.created});
        const auto subject = HookSubject::read(hook.subject);
        if (subject && progress != all.end() && !progress->second.dead) {
            hearers[subject->number].push_back(
                {.network = hook.filter, .after = progress->second.after}
            );
        }
    }
    return hearers;
}

HookTurns::HookTurns(
    Segments& segments, storage::Store& store, const Clock& clock, webhooks::Reach reach
)
    : segments_{&segments},
      reach_{reach},
      changes_{segments},
      deliveries_{store, clock, changes_, webhooks::Deliveries::Options{}} {}

void HookTurns::start() {
    for (std::size_t each = 0; each < threads; ++each) {
        posters_.at(each) =
            std::make_unique<webhooks::Poster>(webhooks::Poster::Options{.reach = reach_});
        turns_.at(each).emplace(
            "webhooks",
            runtime::Urgency::background,
            [this, each](const std::stop_token& stop) { return turn(each, stop); }
        );
    }
}

void HookTurns::stop() {
    for (auto& each : turns_) {
        each.reset();
    }
}

/// That a store is away is said by the store itself.
milliseconds HookTurns::turn(std::size_t thread, const std::stop_token& stop) {
    const Result<milliseconds> pause = take_turn(thread, stop);
    if (!pause && pause.error().kind != ErrorKind::unavailable &&
        pause.error().kind != ErrorKind::cancelled) {
        troubles_.say(
            LogLevel::warning,
            fmt::format("webhooks are not told of changes: {}", pause.error().message)
        );
    }
    return pause.value_or(hooks_after_failure);
}

Result<milliseconds> HookTurns::take_turn(std::size_t thread, const std::stop_token& stop) {
    if (!segments_->is_derived_here()) {
        return hooks_idle;
    }
    const auto now = std::chrono::steady_clock::now();
    if (thread == 0 && now - refreshed_ >= refresh_period) {
        TRY_VOID(deliveries_.refresh());
        refreshed_ = now;
    }
    return deliveries_.deliver(*posters_.at(thread), stop);
}

void HookTurns::tell(metrics::Figures& figures) const {
    const webhooks::Deliveries::Figures now = deliveries_.figures();
    figures.set("footfall_segments_webhooks", "Webhooks that are told of changes.", now.hooks);
    figures.set(
        "footfall_segments_webhooks_failing",
        "Webhooks that failed last, and are tried again.",
        now.failing
    );
    figures.set(
        "footfall_segments_webhooks_dead",
        "Webhooks that were given up, until they are resumed.",
        now.dead
    );
    figures.raise(
        "footfall_segments_webhook_changes_total",
        "Changes that webhooks have answered for.",
        now.delivered
    );
    figures.raise(
        "footfall_segments_webhook_failures_total",
        "Requests to webhooks that failed.",
        now.failures
    );
}

}  // namespace footfall::segments::routes
