#pragma once

#include "backup/open_depot.h"
#include "backup/place.h"
#include "backup/take.h"
#include "foundation/clock.h"
#include "foundation/result.h"
#include "metrics/metrics.h"
#include "runtime/turns.h"

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>

namespace footfall::backup {

/// What a backup was asked for.
struct Wish {
    std::optional<std::size_t> keep = {};
    bool full = false;
};

/// Makes backups while a server serves: one at a time, behind the answers, at a bounded rate, when
/// it is asked and as often as it is told. Thread-safe. State: the backup under way, how the last
/// one ended and when the newest was begun, behind one mutex; a thread for as long as a backup
/// takes, and one that looks whether one is due.
class Desk {
public:
    using Take = std::function<Result<Taken>(const TakeOptions&)>;

    struct Options {
        Address address;                   ///< Without a place: none are made here.
        std::uint64_t bytes_a_second = 0;  ///< Copied at most, on the average; not 0.
        std::string why_none = {};         ///< What whoever asks is told where none are made.
        /// So long after the newest one the next is made; absent: only when asked for.
        std::optional<std::chrono::seconds> every = {};
        std::optional<std::size_t> keep = {};  ///< Then so many stay; absent: all.
    };

    /// How a backup ended.
    struct Ended {
        Instant since;
        Instant at;
        std::string error = {};  ///< Empty: it was made, and is `taken`.
        Taken taken = {};
    };

    struct State {
        std::optional<Instant> since = {};  ///< When the one under way began; absent: none is.
        Step step = {};                     ///< How far it is.
        std::optional<Ended> last = {};
    };

    /// `take` makes a backup; it is called on the desk's thread. `clock` must outlive the desk.
    Desk(Options options, const Clock& clock, metrics::Metrics& metrics, Take take);
    ~Desk();
    Desk(const Desk&) = delete;
    Desk& operator=(const Desk&) = delete;

    /// Begins a backup and answers when, which names it in state(). `conflict`: one is under way,
    /// or none are made here.
    Result<Instant> start(const Wish& wish);

    State state() const;

    /// From now on one is begun whenever it is due. Nothing where `every` is absent.
    void keep_to_schedule();

    /// Begins one if it is due, and answers whether. One that failed is tried again ten minutes
    /// later, or after `every` if that is shorter.
    bool start_if_due();

    /// Where backups are, for people; "": none are made here.
    const std::string& place() const { return options_.address.place; }

    /// Those there are. Blocks.
    Result<Listing> list() const;

    /// Cuts short what is under way and waits for its end; from then on none begins. Idempotent.
    void stop();

private:
    void note_newest(Instant taken);
    void run(const std::stop_token& stop, const Wish& wish);
    Result<void> pace(
        const std::stop_token& stop, std::chrono::steady_clock::time_point begin, const Step& step
    );

    const Options options_;
    const Clock* clock_;
    const Take take_;
    metrics::Gauge newest_seconds_;
    metrics::Counter failures_;
    mutable std::mutex mutex_;
    std::condition_variable_any pausing_;
    State state_;                // guarded by mutex_
    Instant newest_;             ///< When the newest whole one was begun; guarded by mutex_.
    bool stopped_ = false;       // guarded by mutex_
    std::stop_source stopping_;  ///< Of list().
    std::jthread thread_;        // guarded by mutex_
    std::optional<runtime::Turns> schedule_;  // last: ends before what it uses
};

}  // namespace footfall::backup
