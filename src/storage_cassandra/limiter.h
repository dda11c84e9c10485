#pragma once

#include "foundation/clock.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace footfall::storage_cassandra {

/// How many requests of one kind may be on their way at once: as many as the store bears
/// (docs/decisions/0054-as-many-requests-as-the-store-bears.md).
///
/// The limit grows by some requests at a time while requests wait for it, and is halved when some
/// of them fail or when they queue in the store: when their median time is more than twice of what
/// it is without a queue. That time is the least median there was. So that it can also rise, the
/// limit goes down to a few for a moment every ten seconds, if there was reason to; all
/// processes do so at the same time by their clocks, and none measures the queue of another.
///
/// Not thread-safe: its owner's mutex guards it. O(1), and about a microsecond for each window of
/// requests.
class Limiter {
public:
    struct Options {
        std::size_t floor = 2;
        std::size_t ceiling = 1024;
        std::size_t start = 16;  ///< At most `ceiling`.
        /// A median above this is queueing, whatever was usual: half of a node's time to answer.
        std::chrono::milliseconds slow{1000};
        /// A second node is asked after this at the earliest; 0: never.
        std::chrono::milliseconds speculate{0};
    };

    enum class Cause : std::uint8_t {
        failed,  ///< More than one in twenty failed, or had to be repeated.
        queued,
    };

    /// The clock must outlive it.
    Limiter(Options options, const Clock& clock);

    /// Begins a request, if there is room: answers when. Each one is to be ended once.
    std::optional<Instant> try_begin();

    /// A request that was begun then was answered. `failed`: in vain, or only when it was repeated.
    /// `speculations`: so often another node was asked as well.
    void end(Instant begun, bool failed, std::uint32_t speculations);

    /// A request was not sent at all.
    void abandon() { --in_flight_; }

    /// In force now.
    std::size_t limit() const;

    std::size_t in_flight() const { return in_flight_; }

    /// So often the limit was halved.
    std::uint64_t decreases(Cause cause) const {
        return decreases_[static_cast<std::size_t>(cause)];
    }

    std::uint64_t speculations() const { return speculations_; }

    /// Whether requests queued in the store lately. Then nothing is asked twice.
    bool is_throttled() const;

    /// After how long the request that begins now may ask a second node; absent: it may not.
    std::optional<std::chrono::milliseconds> speculate_after() const;

private:
    using Microseconds = std::chrono::microseconds;

    void begin_window(Instant from);
    bool window_is_over(Instant now) const;
    void judge_window(Instant now);
    void decrease(Cause cause, Instant now);
    void probe_if_due(Instant now);
    Microseconds median();

    const Options options_;
    const Clock& clock_;
    std::size_t limit_;
    std::size_t in_flight_ = 0;
    std::optional<Microseconds> unqueued_;  ///< The median time of requests without a queue.
    Microseconds last_median_{0};
    bool probing_ = false;
    bool may_probe_ = false;  ///< The limit was of importance since the last time.
    Instant next_probe_{};
    std::optional<Instant> decreased_at_;
    std::optional<Instant> queued_at_;  ///< The last window that showed it.
    std::uint64_t decreases_[2] = {};
    std::uint64_t speculations_ = 0;
    double may_speculate_;  ///< So many requests may, from what was saved.

    // Of the window. Its times are of requests that began in it and did not fail.
    Instant window_from_{};
    std::vector<Microseconds> times_;
    std::size_t ended_ = 0;
    std::size_t failed_ = 0;
    std::size_t peak_ = 0;  ///< The most requests in flight.
    bool limited_ = false;  ///< A request had to wait.
};

}  // namespace footfall::storage_cassandra
