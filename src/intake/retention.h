#pragma once

#include "foundation/clock.h"
#include "foundation/result.h"
#include "foundation/seldom_log.h"
#include "intake/events_ahead.h"
#include "intake/intake.h"
#include "intake/lane_holds.h"
#include "intake/lane_judge.h"
#include "intake/old_events.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace footfall::intake {

/// Lets events go that arrived longer ago than they are to be kept: from the log. The rows by which
/// their ids and their repeats are found stand no more then (StandingRows), and go by themselves.
/// What projections counted of them stays, and is told to them before (Projection::expire), so that
/// it can still be held to the log.
///
/// A lane goes in its order: the first event that is young enough ends it, and nothing goes that
/// some projection, or the rules, have not stored (OldEvents says what else stays). An event that
/// came while the clock was ahead holds back nobody (EventsAhead): what is behind it goes in its
/// time, and it with that; where nothing is, `keep` after the clock was seen to be right. What the
/// rules remember of repeats goes, too: `keep` is not shorter than their windows (the caller sees
/// to that). Each step can be repeated: after a crash the next sweep goes on where the log begins.
///
/// Where several processes share the lanes each sweeps its own.
///
/// State: in the store, but for what need not be looked at yet. start() has a thread that sweeps
/// in the background, each five minutes; if `keep` is short twice in it, unless that is much work,
/// which is spread over five minutes at most. Before each lane it waits while the store is under
/// pressure, but not for ever. Thread-safe; what the context names must outlive it.
class Retention {
public:
    /// `keep` is above 0. `holds` says which lanes are ours, and outlives this; null: all.
    Retention(const Context& context, std::chrono::seconds keep, LaneHolds* holds = nullptr);

    Retention(Intake& intake, std::chrono::seconds keep) : Retention{intake.context(), keep} {}

    Retention(const Retention&) = delete;
    Retention& operator=(const Retention&) = delete;

    ~Retention() { stop(); }

    void start();

    /// Ends the thread; a sweep under way ends early. Idempotent.
    void stop();

    /// Lets go what is old enough by the intake's clock, and answers how many events that was.
    /// Waits for the store; one call at a time.
    Result<std::uint64_t> sweep(const std::stop_token& stop = {});

    /// Events let go since the program started.
    std::uint64_t dropped() const { return dropped_.load(); }

    std::chrono::seconds keep() const { return keep_; }

    /// Of them, said that they had arrived too late to go: a clock was ahead then.
    std::uint64_t ahead() const { return ahead_.load(); }

    /// How long the event had been due that waited longest of those that the last sweep, or the one
    /// under way, let go.
    std::chrono::seconds overdue() const { return overdue_.load(); }

    /// Whether that is so long that it has to hurry.
    bool is_behind() const;

private:
    using Step = OldEvents::Step;
    using Steady = std::chrono::steady_clock;

    /// What projections were told of a lane, and have not stored yet.
    struct Portion {
        std::uint64_t next = 0;  ///< All before it, of so many events. 0: nothing was told.
        std::size_t events = 0;
    };

    Result<void> sweep_lane(
        std::uint32_t lane, std::uint64_t bound, Instant before, const std::stop_token& stop
    );
    Result<std::optional<OldEvents::Young>> let_old_go(
        std::uint32_t lane,
        OldEvents old,
        const std::optional<LaneHolds::Hold>& hold,
        const std::stop_token& stop
    );
    Result<Portion> tell_portion(
        std::uint32_t lane,
        OldEvents& old,
        const std::optional<LaneHolds::Hold>& hold,
        const std::stop_token& stop
    );
    Result<std::uint64_t> stored_before(std::uint32_t lane);
    void wait_for_turn(std::uint32_t lane, const std::stop_token& stop);
    void wait_for_others(const std::stop_token& stop);
    void rest_until(Steady::time_point end, const std::stop_token& stop);
    Result<void> tell_projections(std::uint32_t lane, const Step& step);
    void note_ahead(std::uint32_t lane, const OldEvents::Young& young);
    template <class Do>
    Result<bool> while_ours(const std::optional<LaneHolds::Hold>& hold, const Do& act);
    void run(const std::stop_token& stop);
    void sweep_in_turn(const std::stop_token& stop);

    const Context context_;
    const std::chrono::seconds keep_;
    LaneHolds* const holds_;
    /// Of each lane, when its first event arrived, as far as that is known: nothing goes before
    /// that is long enough ago. Never so late that the lane would not be looked at again for long.
    std::vector<Instant> oldest_;
    EventsAhead events_ahead_;
    bool told_of_ahead_ = false;  ///< It was logged that there are such events.
    std::atomic<std::uint64_t> dropped_ = 0;
    std::atomic<std::uint64_t> ahead_ = 0;
    std::atomic<std::chrono::seconds> overdue_{};
    // Of who sweeps.
    Steady::time_point begun_;   ///< When the thread began its latest sweep,
    Steady::duration period_{};  ///< over how long its lanes are spread,
    Steady::duration worked_{};  ///< and for how long it worked on them.
    SeldomLog troubles_{std::chrono::minutes{1}};
    std::mutex mutex_;  ///< Of the thread's sleep.
    std::condition_variable_any wakes_;
    std::jthread thread_;
};

}  // namespace footfall::intake
