#include "backup/desk.h"

#include "foundation/log.h"
#include "runtime/enter_thread.h"

#include <algorithm>
#include <utility>

namespace footfall::backup {

namespace {

constexpr std::chrono::seconds pause_between_looks{1};
constexpr std::chrono::seconds pause_after_failure{600};

}  // namespace

Desk::Desk(Options options, const Clock& clock, metrics::Metrics& metrics, Take take)
    : options_{std::move(options)},
      clock_{&clock},
      take_{std::move(take)},
      newest_seconds_{metrics.gauge(
          "footfall_backup_newest_seconds",
          "When the newest whole backup was begun, in seconds since 1970; 0: there is none."
      )},
      failures_{metrics.counter("footfall_backup_failures_total", "Backups that were not made.")} {
    if (place().empty()) {
        return;
    }
    if (const auto listing = list(); listing && !listing->whole.empty()) {
        note_newest(listing->whole.back().taken);
    }
}

Desk::~Desk() {
    stop();
}

Result<Listing> Desk::list() const {
    TRY(const auto depot, open_depot(options_.address, stopping_.get_token()));
    return backup::list(*depot);
}

Result<Instant> Desk::start(const Wish& wish) {
    const std::lock_guard lock{mutex_};
    if (place().empty()) {
        return fail(ErrorKind::conflict, options_.why_none);
    }
    if (stopped_) {
        return fail(ErrorKind::unavailable, "the server is stopping");
    }
    if (state_.since) {
        return fail(ErrorKind::conflict, "a backup is under way; the next one can begin after it");
    }
    Instant since = clock_->now();
    if (state_.last) {
        since = std::max(since, state_.last->since + std::chrono::microseconds{1});
    }
    state_.since = since;
    state_.step = {};
    // The one before has ended but for its last instructions, which need no mutex.
    thread_ = std::jthread{[this, wish](const std::stop_token& stop) { run(stop, wish); }};
    return since;
}

Desk::State Desk::state() const {
    const std::lock_guard lock{mutex_};
    return state_;
}

void Desk::keep_to_schedule() {
    if (options_.every && !place().empty()) {
        schedule_.emplace("backup timer", runtime::Urgency::background, [this](auto&) {
            start_if_due();
            return pause_between_looks;
        });
    }
}

bool Desk::start_if_due() {
    if (!options_.every) {
        return false;
    }
    {
        const std::lock_guard lock{mutex_};
        Instant due = newest_ + *options_.every;
        if (state_.last && !state_.last->error.empty()) {
            due = std::max(due, state_.last->at + std::min(*options_.every, pause_after_failure));
        }
        if (state_.since || clock_->now() < due) {
            return false;
        }
    }
    return start({.keep = options_.keep}).has_value();  // or somebody asked for one just now
}

/// Under the mutex, or before anybody else knows the desk.
void Desk::note_newest(Instant taken) {
    newest_ = taken;
    newest_seconds_.set(std::chrono::duration<double>(
                            std::chrono::floor<std::chrono::seconds>(taken).time_since_epoch()
    )
                            .count());
}

void Desk::stop() {
    schedule_.reset();
    stopping_.request_stop();
    std::jthread last;
    {
        const std::lock_guard lock{mutex_};
        stopped_ = true;
        last = std::move(thread_);
    }
    // Its end asks it to stop, and waits.
}

void Desk::run(const std::stop_token& stop, const Wish& wish) {
    // Not in the background: for a moment it stands in the engine's queue of writes, before others
    // that wait for it, and on a busy machine a nicer thread would not run for minutes.
    runtime::enter_thread("backup", runtime::Urgency::work);
    const auto begin = std::chrono::steady_clock::now();
    const auto make = [&]() -> Result<Taken> {
        TRY(const auto depot, open_depot(options_.address, stop));
        return take_(
            {.depot = depot.get(),
             .full = wish.full,
             .keep = wish.keep,
             .before_step = [&](const Step& step) { return pace(stop, begin, step); }}
        );
    };
    Result<Taken> taken = make();
    if (!taken) {
        log(LogLevel::error, "no backup was made: {}", taken.error().message);
    }
    const std::lock_guard lock{mutex_};
    state_.last = Ended{.since = state_.since.value_or(Instant{}), .at = clock_->now()};
    if (taken) {
        note_newest(taken->manifest.taken);
        state_.last->taken = *std::move(taken);
    } else {
        failures_.add();
        state_.last->error = std::move(taken).error().message;
    }
    state_.since.reset();
}

/// Waits until so many bytes may have been copied.
Result<void> Desk::pace(
    const std::stop_token& stop, std::chrono::steady_clock::time_point begin, const Step& step
) {
    const std::chrono::duration<double> least{
        static_cast<double>(step.bytes_done) / static_cast<double>(options_.bytes_a_second)
    };
    std::unique_lock lock{mutex_};
    if (step.bytes_total > 0) {
        state_.step = step;
    }
    pausing_.wait_until(
        lock,
        stop,
        begin + std::chrono::duration_cast<std::chrono::steady_clock::duration>(least),
        [] { return false; }
    );
    return stop.stop_requested()
               ? Result<void>{fail(ErrorKind::cancelled, "the server was stopped meanwhile")}
               : Result<void>{};
}

}  // namespace footfall::backup
