#pragma once

#include "events/event.h"
#include "foundation/clock.h"
#include "foundation/result.h"
#include "guard/rules.h"
#include "intake/activity.h"
#include "intake/arriving.h"
#include "intake/collector.h"
#include "intake/event_search.h"
#include "intake/judged_watch.h"
#include "intake/known_ids.h"
#include "intake/known_since.h"
#include "intake/lane_judge.h"
#include "journal/log.h"
#include "journal/portion_size.h"
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

class Arrivals;

/// From events to judged events: each is judged in its object's lane, in order, appended to the
/// log, and given to the projections. Of two with one id the second is not taken in, or, where it
/// says something else, judged to be a conflict.
///
/// State: what the rules remember, by lane, made again at a start: from the log, or by what a clean
/// stop stored (rules_memory.h). A thread of its own
/// lets projections write what is due, and moves the checkpoints behind them. When the store or the
/// log loses something, events are refused until all lanes have been read again.
///
/// Embedded it has all lanes, and events come by collect(). On a cluster lanes come and go, events
/// come from the log of events by judge_lane(), and projections read the log by themselves
/// (Follower).
///
/// Thread-safe. Everything of `context` must outlive it; the store must be closed after close().
class Intake final : public Collector {
public:
    /// Takes over all lanes. Waits.
    static Result<std::unique_ptr<Intake>> open(Context context);

    /// Has no lanes to begin with.
    static Result<std::unique_ptr<Intake>> open_without_lanes(Context context);

    Intake(const Intake&) = delete;
    Intake& operator=(const Intake&) = delete;
    ~Intake() override;

    /// As Collector::collect(); waits for reads, and while the store has no room.
    Result<Taken> collect(Arrived arrived) override;

    Result<void> say_each(std::span<const events::ControlInLane> controls) override;

    journal::Writer& writer() override { return *context_.log; }

    /// Takes these events of a lane of the log of events: as they come from there, each with its
    /// place. Those that were taken before change nothing; after a failure they, and what came
    /// before them from next_source() on, are to be given again. They are taken some at a time,
    /// fewer after a failure, so that it is only asked again for those that were not. Waits as
    /// collect() does. Of a lane by one thread at a time.
    Result<void> judge_lane(std::uint32_t lane, std::vector<events::JudgedEvent> events);

    /// The same of a control that stands between them there, with its place.
    Result<void> pass_on(std::uint32_t lane, const events::Control& control);

    /// From where on what the log of events has for the lane is to be given.
    std::uint64_t next_source(std::uint32_t lane) {
        return lanes_.with(lane, [](auto& judge) { return judge->next_source(); });
    }

    /// Reads these lanes of the log from their checkpoints on, and takes their events. Waits.
    Result<void> take_over(std::span<const std::uint32_t> lanes);

    /// Takes nothing more of these lanes. Stores what follows from what was taken, as far as that
    /// is possible in some seconds, unless `lost`: another may have them already. Waits.
    void hand_over(std::span<const std::uint32_t> lanes, bool lost);

    /// How often lanes were read again since something was lost.
    std::uint64_t recoveries() const { return replayed_losses_.load(); }

    /// Writes all there is to write, so that the next start has nothing to read again. Takes
    /// nothing more. Idempotent.
    void close();

    /// The latest events of an object, or of all: latest_events().
    Result<std::vector<FoundEvent>> latest(
        std::optional<std::string_view> object, std::size_t events_max
    ) {
        return latest_events(
            context_, [this](std::uint32_t lane) { return end_of(lane); }, object, events_max
        );
    }

    /// The offset that the lane's next record gets; on a cluster, as far as this process knows.
    std::uint64_t end_of(std::uint32_t lane) {
        if (context_.watch != nullptr) {
            return context_.watch->end_of(lane);
        }
        return lanes_.with(lane, [&](auto&) { return context_.log->end(lane); });
    }

    /// events_since().
    Result<EventsSince> since(std::uint32_t lane, std::uint64_t from, std::string_view object) {
        return events_since(context_, lane, from, end_of(lane), object);
    }

    /// What came in the closed seconds [from, before): for the live chart. On a cluster whatever
    /// process judged it.
    std::vector<ActivitySecond> activity_between(std::int64_t from, std::int64_t before) const {
        return context_.watch != nullptr ? context_.watch->activity_between(from, before)
                                         : activity_.between(from, before);
    }

    struct Figures {
        JudgedFigures judged;
        /// Records that the last start, or the last recovery from lost writes, read again since
        /// something that follows from them may not have been stored.
        std::uint64_t read_again = 0;
        std::uint64_t read = 0;      ///< All records that it read, those for the rules included.
        std::size_t lanes = 0;       ///< That are ours.
        std::uint64_t unstored = 0;  ///< Events whose rows may not be durable yet.
        std::uint64_t ids_looked_up = 0;  ///< In the store, since the filter did not suffice.
    };

    Figures figures();

    /// Null: the store is asked for each id.
    KnownIds* known_ids() { return known_ids_.get(); }

    /// Success while events are taken; else why not.
    Result<void> health() const override;

    const Context& context() const { return context_; }

private:
    class Asking;

    /// The rows that one request asks for; and as many as the store is asked for at once.
    static constexpr std::size_t least_portion = 16;
    static constexpr std::size_t most_portion = 1024;

    explicit Intake(Context context);

    /// For what the log tells on a thread of its own, which may be after the intake is gone.
    struct Link {
        std::mutex mutex;
        Intake* intake = nullptr;  ///< Guarded by mutex.
    };

    static Result<std::unique_ptr<Intake>> open(Context context, std::vector<std::uint32_t> lanes);
    void listen();
    Result<void> judge_some(std::uint32_t lane, std::vector<events::JudgedEvent> events);
    Result<void> take_all(const Arrivals& arrivals, Taken& taken);
    Result<void> ask(const Arrivals& arrivals, Asking& asking);
    void leave_out_new_ids(std::vector<Arriving*>& events) const;
    Result<void> take_in_lane(std::uint32_t lane, std::span<Arriving* const> events, Taken& taken);
    Result<void> say_in_lanes(
        std::span<const events::ControlInLane> controls, storage::CommitPosition& position
    );
    void note_appended(storage::CommitPosition position);
    Result<void> recover();
    Result<void> replay_lanes(std::span<const std::uint32_t> lanes, bool at_start);
    Result<void> store_lane(std::uint32_t lane);
    void submit_when_durable(std::uint32_t lane, storage::CommitPosition records);
    void lose();
    void note_activity(Instant arrival, std::size_t events, const Taken& taken);
    void add_checkpoint(std::uint32_t lane, storage::Batch& batch);

    bool is_lost() const { return replayed_losses_.load() != losses_.load(); }

    Result<void> write_in_turn();
    Result<void> write_out(bool all);
    Result<void> write_last();
    Result<void> write_last_patiently();
    Result<void> write_checkpoints();
    void keep(const std::stop_token& stop);

    Context context_;
    JudgeLanes lanes_;
    /// Of each lane, how many events judge_lane() takes at once.
    std::vector<journal::PortionSize> portions_{JudgeLanes::count, {least_portion, most_portion}};
    std::unique_ptr<KnownIds> known_ids_;  ///< Null: the store is asked for each id.
    std::atomic<std::uint64_t> ids_looked_up_ = 0;
    KnownSince known_since_{context_};
    std::shared_mutex turn_;  ///< Takers share it; who recovers, or moves lanes, has it alone.
    std::vector<std::uint32_t> owned_;  ///< The lanes that are ours; guarded by turn_.
    const std::shared_ptr<Link> link_ = std::make_shared<Link>();
    std::atomic<std::uint64_t> losses_ = 1;  ///< Of records; to begin with, nothing is known.
    std::atomic<std::uint64_t> replayed_losses_ = 0;  ///< After so many the lanes were read again.
    std::atomic<std::uint64_t> read_again_ = 0;
    std::atomic<std::uint64_t> read_ = 0;
    std::atomic<std::size_t> lane_count_ = 0;
    std::atomic<storage::CommitPosition> last_appended_ = 0;
    std::atomic<bool> closed_ = false;
    Activity activity_;
    std::mutex keeper_mutex_;
    std::condition_variable_any keeper_wakes_;
    std::jthread keeper_;
    storage::Subscription store_losses_;
};

}  // namespace footfall::intake
