#include "storage_cassandra/limiter.h"

#include "foundation/check.h"

#include <algorithm>
#include <ratio>
#include <utility>

namespace footfall::storage_cassandra {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::seconds;

/// A window is so long and has so many answers at least, or lasts a second.
constexpr milliseconds window_least{50};
constexpr seconds window_most{1};
constexpr std::size_t answers_wanted = 16;
constexpr std::size_t answers_kept = 256;

/// A quarter of the limit, but no more than this.
constexpr std::size_t increase_most = 8;
/// So many requests are on their way while the time without a queue is measured.
constexpr std::size_t probe_requests = 4;
/// Times that differ by less are not a queue: requests are not all alike.
constexpr milliseconds tolerance{20};
/// One of so many may fail.
constexpr std::size_t failures_allowed = 20;
using TenSeconds = std::chrono::duration<std::int64_t, std::ratio<10>>;
constexpr TenSeconds probe_period{1};
/// So long after a window that showed a queue nothing is asked twice.
constexpr seconds calm_after_queueing{5};

/// Of the requests so many may ask a second node: where one of three hangs, that is a third.
constexpr double speculations_a_request = 0.4;
constexpr double speculations_saved = 100;
/// A request is slow when it takes so many times what is usual.
constexpr int slow_factor = 3;

}  // namespace

Limiter::Limiter(Options options, const Clock& clock)
    : options_{options},
      clock_{clock},
      limit_{std::min(options.start, options.ceiling)},
      may_speculate_{speculations_saved} {
    CHECK(
        options.floor > 0 && options.floor <= options.ceiling,
        "a limit has a floor, and more above it",
        options.floor,
        options.ceiling
    );
    times_.reserve(answers_kept);
    const Instant now = clock.now();
    begin_window(now);
    next_probe_ = std::chrono::floor<TenSeconds>(now) + probe_period;
}

std::size_t Limiter::limit() const {
    return probing_ ? std::min(limit_, probe_requests) : limit_;
}

std::optional<Instant> Limiter::try_begin() {
    const Instant now = clock_.now();
    probe_if_due(now);
    if (in_flight_ >= limit()) {
        limited_ = true;
        may_probe_ = true;
        return std::nullopt;
    }
    ++in_flight_;
    peak_ = std::max(peak_, in_flight_);
    may_speculate_ = std::min(may_speculate_ + speculations_a_request, speculations_saved);
    return now;
}

void Limiter::end(Instant begun, bool failed, std::uint32_t speculations) {
    const Instant now = clock_.now();
    --in_flight_;
    ++ended_;
    speculations_ += speculations;
    may_speculate_ -= speculations;
    // What began before the limit was lowered says nothing of what it is now.
    if (failed) {
        failed_ += begun >= decreased_at_.value_or(begun) ? 1 : 0;
    } else if (begun >= window_from_ && begun <= now && times_.size() < answers_kept) {
        times_.push_back(now - begun);
    }
    if (window_is_over(now)) {
        judge_window(now);
    }
}

bool Limiter::is_throttled() const {
    return queued_at_ && clock_.now() < *queued_at_ + calm_after_queueing;
}

std::optional<milliseconds> Limiter::speculate_after() const {
    if (options_.speculate == milliseconds{0} || may_speculate_ < 1 || is_throttled()) {
        return std::nullopt;
    }
    const auto unusual = slow_factor * unqueued_.value_or(microseconds{0});
    return std::max(options_.speculate, std::chrono::ceil<milliseconds>(unusual));
}

void Limiter::begin_window(Instant from) {
    window_from_ = from;
    times_.clear();
    ended_ = 0;
    failed_ = 0;
    peak_ = in_flight_;
    limited_ = false;
}

bool Limiter::window_is_over(Instant now) const {
    const auto age = now - window_from_;
    if (age >= window_most) {
        return !times_.empty() || failed_ > 0;
    }
    if (age < -2 * window_most) {  // the clock was set back
        return true;
    }
    return probing_ ? times_.size() >= probe_requests
                    : age >= window_least && times_.size() >= answers_wanted;
}

void Limiter::judge_window(Instant now) {
    const bool was_probing = std::exchange(probing_, false);
    bool queued = false;
    if (!times_.empty()) {
        last_median_ = median();
        if (was_probing || !unqueued_ || last_median_ < *unqueued_) {
            unqueued_ = std::min<microseconds>(last_median_, options_.slow);
        }
        queued = last_median_ > std::min<microseconds>(2 * *unqueued_ + tolerance, options_.slow);
    }
    if (queued) {
        queued_at_ = now;
    }
    if (failed_ * failures_allowed > ended_) {
        decrease(Cause::failed, now);
    } else if (queued) {
        decrease(Cause::queued, now);
    } else if (limited_ && !was_probing) {
        const std::size_t increase = std::clamp<std::size_t>(limit_ / 4, 1, increase_most);
        limit_ = std::min(limit_ + increase, options_.ceiling);
    }
    begin_window(now);
}

/// From what was made use of: a limit that nobody reached says nothing.
void Limiter::decrease(Cause cause, Instant now) {
    limit_ = std::max(std::min(limit_, peak_) / 2, options_.floor);
    decreased_at_ = now;
    may_probe_ = true;
    ++decreases_[static_cast<std::size_t>(cause)];
}

/// The queue that was has gone once its requests are answered: what begins then is measured.
void Limiter::probe_if_due(Instant now) {
    if (now < next_probe_ && next_probe_ - now <= probe_period) {
        return;
    }
    next_probe_ = std::chrono::floor<TenSeconds>(now) + probe_period;
    if (std::exchange(may_probe_, false)) {
        begin_window(now + std::min<microseconds>(last_median_, options_.slow));
        probing_ = true;
    }
}

microseconds Limiter::median() {
    const auto middle = times_.begin() + static_cast<std::ptrdiff_t>(times_.size() / 2);
    std::ranges::nth_element(times_, middle);
    return *middle;
}

}  // namespace footfall::storage_cassandra
