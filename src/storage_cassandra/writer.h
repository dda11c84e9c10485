#pragma once

#include "foundation/clock.h"
#include "metrics/metrics.h"
#include "storage/store.h"
#include "storage_cassandra/driver.h"
#include "storage_cassandra/limiter.h"
#include "storage_cassandra/limiter_metrics.h"
#include "storage_cassandra/write_queue.h"
#include "storage_cassandra/write_time.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace footfall::storage_cassandra {

/// Queues batches, sends them, and says when they are durable
/// (docs/decisions/0026-writes-on-cassandra.md).
///
/// The parts of a batch, one a partition, and those of other batches are sent side by side; the
/// timestamp of each batch decides which one stays where two meet. A few requests go as soon as
/// there is something to write; while more are on their way, parts gather to full groups
/// (write_queue.h), up to as many requests as the store bears (limiter.h). A position is durable
/// when all parts of it, and of all before it, have been acknowledged.
///
/// A request that fails after all attempts loses its batches and every one behind: the waiters are
/// told outcome_unknown, what was not sent is dropped, and when the last answer of what was sent is
/// there, and a write succeeds, the handlers of lost writes run and batches are taken again. A part
/// whose outcome is unknown may still appear later; a later write to its rows wins against it.
///
/// Thread-safe. Handlers and waiters run on the driver's thread, without a lock.
class Writer {
public:
    struct Options {
        std::size_t queue_limit_bytes = 64 << 20;
        Limiter::Options limiter = {};               ///< Of the requests on their way.
        std::chrono::milliseconds deadline{10'000};  ///< For all attempts of one request.
        /// Always in attempts after the first one: else those of a request that is repeated could
        /// all go to a node that hangs.
        std::chrono::milliseconds speculate{500};
        /// Called on the driver's thread with how long the slowest took, from its submit, of the
        /// batches that became durable just now. Must not block.
        std::function<void(std::chrono::nanoseconds)> on_durable = {};
    };

    /// Sends the reservation of write time through `insert_write_time`. All must outlive this.
    Writer(
        Options options,
        Driver& driver,
        const Clock& clock,
        metrics::Metrics& metrics,
        std::function<const TableStatements&(const storage::Table&)> statements_of
    );
    Writer(const Writer&) = delete;
    Writer& operator=(const Writer&) = delete;
    ~Writer() = default;

    /// Takes over the write time behind what others have reserved. Blocks; before the first submit.
    Result<void> begin(std::int64_t reserved_by_others);

    /// The same at any time: what is submitted from here on is later than that. Blocks.
    Result<void> begin_behind(std::int64_t reserved_by_others);

    /// Reserves more write time if it is time to, and tells the metrics how much waits. To be
    /// called every few seconds, whether anything is written or not (write_time.h). Waits not.
    void tick();

    Result<storage::CommitPosition> submit(const storage::Batch& batch);
    bool durable(storage::CommitPosition position) const;
    void when_durable(storage::CommitPosition position, storage::DurableDone done);
    double pressure() const;
    Result<void> health() const;
    storage::Subscription on_lost_writes(std::move_only_function<void()> handler);

    /// Refuses what comes and returns when all that was taken is durable or lost. The driver must
    /// still run. Idempotent.
    void close();

private:
    enum class State { running, losing, closed };

    using Part = WriteQueue::Part;
    using Group = WriteQueue::Group;

    /// A batch that is not durable yet.
    struct Open {
        std::size_t parts;
        std::size_t bytes;
        std::chrono::steady_clock::time_point submitted;
    };

    /// Parts that go as one request.
    struct Sent {
        Group group;
        Instant begun;
        SecondNode second;
    };

    std::vector<Sent> take_groups();
    void send();
    void note_end(Instant begun, const Answer& answer);
    void finish(const Group& group, const Result<void>& outcome, std::uint32_t attempts);
    void lose(Error cause, std::vector<storage::DurableDone>& waiting);
    std::optional<std::chrono::nanoseconds> advance(std::vector<storage::DurableDone>& waiting);
    void take_waiters(storage::CommitPosition through, std::vector<storage::DurableDone>& waiting);
    void keep_reserved();
    void reserve(std::int64_t through, std::move_only_function<void(Result<void>)> done);
    void recover();
    void accept_again();
    bool lost(storage::CommitPosition position) const;
    void note_idle();

    const Options options_;
    Driver& driver_;
    const Clock& clock_;
    const std::function<const TableStatements&(const storage::Table&)> statements_of_;
    metrics::Counter repeated_;
    metrics::Counter failed_;
    metrics::Gauge queued_;
    metrics::Histogram seconds_;

    mutable std::mutex mutex_;  // guards all below but the last two
    std::condition_variable idle_;
    State state_ = State::closed;
    WriteTime time_{0, Instant{}};
    bool reserving_ = false;
    WriteQueue queue_;
    std::deque<Open> open_;                 ///< Of the positions behind finished_, in order.
    storage::CommitPosition finished_ = 0;  ///< Up to here everything is durable or lost.
    storage::CommitPosition last_ = 0;
    std::size_t queued_bytes_ = 0;
    Limiter limiter_;
    LimiterMetrics limiter_metrics_;
    std::size_t in_flight_ = 0;  ///< Reservations of write time included.
    bool recovering_ = false;
    std::string failure_;  ///< Why the last writes were lost.
    std::vector<std::pair<storage::CommitPosition, storage::CommitPosition>>
        lost_;  ///< First and last of each loss.
    std::multimap<storage::CommitPosition, storage::DurableDone> waiters_;

    storage::Subscribers subscribers_;                  ///< Has a mutex of its own.
    std::atomic<storage::CommitPosition> durable_ = 0;  ///< The highest one.
};

}  // namespace footfall::storage_cassandra
