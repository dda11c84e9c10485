#pragma once

#include "events/event.h"
#include "foundation/clock.h"
#include "foundation/result.h"
#include "guard/rules.h"
#include "intake/activity.h"
#include "intake/arriving.h"
#include "intake/event_search.h"
#include "intake/lane_judge.h"
#include "journal/log.h"
#include "storage/store.h"

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <span>
#include <thread>
#include <vector>

namespace footfall::intake {

/// Events that came together, each of which may be taken (events::tidy_event).
struct Arrived {
    std::vector<events::Event> events;
    Instant arrival{};
    guard::Door door = guard::Door::trusted_door;
    std::string machine_sign = {};  ///< As of guard::JudgedEvent.
};

/// From events to judged events: each is judged in its object's lane, in order, appended to the
/// log, and given to the projections. Of two with one id the second is not taken in, or, where it
/// says something else, judged to be a conflict.
///
/// State: what the rules remember, by lane, made again from the log at a start. A thread of its own
/// lets projections write what is due, and moves the checkpoints behind them. When the store loses
/// records, events are refused until all lanes have been read again.
///
/// Thread-safe. Everything of `bench` must outlive it; the store must be closed after close().
class Intake {
public:
    /// Reads the log from its checkpoints on. Waits.
    static Result<std::unique_ptr<Intake>> open(Bench bench);

    Intake(const Intake&) = delete;
    Intake& operator=(const Intake&) = delete;
    ~Intake();

    struct Taken {
        std::uint64_t duplicates = 0;  ///< Of those given, were there already.
        std::uint64_t refused = 0;     ///< Of those given, do not count.
        /// Once this is durable the events may be answered for.
        storage::CommitPosition position = 0;
    };

    /// Takes all events. Waits for reads, and while the store has no room: only on threads that
    /// may. On failure some may have been taken: those with an id can be sent again.
    Result<Taken> take(Arrived arrived);

    /// Writes all there is to write, so that the next start has nothing to read again. Takes
    /// nothing more. Idempotent.
    void close();

    /// The latest events of an object, or of all: latest_events().
    Result<std::vector<FoundEvent>> latest(
        std::optional<std::string_view> object, std::size_t events_max
    ) {
        return latest_events(bench_, lanes_, object, events_max);
    }

    /// The offset that the lane's next record gets.
    std::uint64_t end_of(std::uint32_t lane) {
        return lanes_.with(lane, [&](auto&) { return bench_.log->end(lane); });
    }

    /// events_since().
    Result<EventsSince> since(std::uint32_t lane, std::uint64_t from, std::string_view object) {
        return events_since(bench_, lane, from, end_of(lane), object);
    }

    /// What came in the closed seconds [from, before): for the live chart.
    std::vector<ActivitySecond> activity_between(std::int64_t from, std::int64_t before) const {
        return activity_.between(from, before);
    }

    struct Figures {
        JudgedFigures judged;
        /// Records that the last start, or the last recovery from lost writes, read again since
        /// something that follows from them may not have been stored.
        std::uint64_t read_again = 0;
    };

    Figures figures();

    /// Success while events are taken; else why not.
    Result<void> health() const;

    const Bench& bench() const { return bench_; }

private:
    class Asking;

    explicit Intake(Bench bench);

    class Arrivals;

    Result<void> ask(const Arrivals& arrivals, Asking& asking);
    Result<Taken> take_lane(std::uint32_t lane, std::span<Arriving* const> events);
    Result<void> recover();
    Result<void> replay_lanes();
    void lose();

    bool is_lost() const { return replayed_losses_.load() != losses_.load(); }

    Result<void> write_out(bool all);
    Result<void> write_checkpoints();
    void keep(const std::stop_token& stop);

    Bench bench_;
    JudgeLanes lanes_;
    std::shared_mutex turn_;                 ///< Takers share it; who recovers has it alone.
    std::atomic<std::uint64_t> losses_ = 1;  ///< Of records; to begin with, nothing is known.
    std::atomic<std::uint64_t> replayed_losses_ = 0;  ///< After so many the lanes were read again.
    std::atomic<std::uint64_t> read_again_ = 0;
    std::atomic<bool> closed_ = false;
    Activity activity_;
    std::mutex keeper_mutex_;
    std::condition_variable_any keeper_wakes_;
    std::jthread keeper_;
};

}  // namespace footfall::intake
