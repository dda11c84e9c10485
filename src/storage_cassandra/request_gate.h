#pragma once

#include "foundation/clock.h"
#include "foundation/result.h"
#include "metrics/metrics.h"
#include "storage_cassandra/limiter.h"
#include "storage_cassandra/limiter_metrics.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <string_view>
#include <utility>

namespace footfall::storage_cassandra {

/// Lets as many requests pass at once as a Limiter says; others wait for their turn. Who asks a lot
/// waits for one request at a time, and takes its place behind the others for the next one, so that
/// everybody has as many turns.
///
/// Thread-safe. Turns come inside the call, or on the thread that ended another request; never with
/// a lock held.
class RequestGate {
public:
    struct Options {
        Limiter::Options limiter = {};
        std::size_t waiting = 1024;  ///< Turns that are waited for, at most.
        /// Whoever waited so long for a turn is told that the store is overloaded.
        std::chrono::milliseconds patience{5'000};
    };

    /// A request that passed. Movable; to be ended by leave(), or it was not sent at all.
    class Pass {
    public:
        Pass(Pass&& other) noexcept
            : gate_{std::exchange(other.gate_, nullptr)},
              begun_{other.begun_},
              speculate_after_{other.speculate_after_} {}

        Pass& operator=(Pass&&) = delete;
        Pass(const Pass&) = delete;
        Pass& operator=(const Pass&) = delete;
        ~Pass();

        /// As of Limiter.
        std::optional<std::chrono::milliseconds> speculate_after() const {
            return speculate_after_;
        }

        /// As of Limiter::end(). Once. Turns of others come inside it.
        void leave(bool failed, std::uint32_t speculations);

    private:
        friend RequestGate;

        Pass(
            RequestGate& gate,
            Instant begun,
            std::optional<std::chrono::milliseconds> speculate_after
        )
            : gate_{&gate}, begun_{begun}, speculate_after_{speculate_after} {}

        RequestGate* gate_;
        Instant begun_;
        std::optional<std::chrono::milliseconds> speculate_after_;
    };

    /// A failure (`overloaded`, `unavailable` after close) in place of a pass ends the wait.
    using Turn = std::move_only_function<void(Result<Pass>)>;

    /// All must outlive it. `kind`: of the requests, for the metrics.
    RequestGate(
        Options options, std::string_view kind, const Clock& clock, metrics::Metrics& metrics
    );
    RequestGate(const RequestGate&) = delete;
    RequestGate& operator=(const RequestGate&) = delete;
    ~RequestGate() = default;

    /// A pass, if there is room and nobody waits.
    std::optional<Pass> try_enter();

    /// Calls `turn` once, when there is room: now, if there is and nobody waits.
    void enter(Turn turn);

    /// Limiter::is_throttled().
    bool is_throttled() const;

    /// Turns away who waited too long, and tells the metrics. To be called about every second.
    void tick();

    /// Turns away everybody, also who comes later.
    void close();

private:
    struct Waiting {
        Turn turn;
        Instant since;
    };

    std::optional<Pass> try_pass();
    std::optional<Result<Pass>> pass_or_wait(Turn& turn);
    void give_turns();
    void end(const std::function<void(Limiter&)>& request);

    const Options options_;
    const Clock& clock_;

    mutable std::mutex mutex_;  // guards all below
    LimiterMetrics metrics_;
    Limiter limiter_;
    std::deque<Waiting> waiting_;  ///< In the order they came.
    bool giving_turns_ = false;    ///< Somebody is at it, and sees what changes meanwhile.
    bool closed_ = false;
};

}  // namespace footfall::storage_cassandra
