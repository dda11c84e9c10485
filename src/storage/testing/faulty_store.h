#pragma once

#include "foundation/random.h"
#include "storage/store.h"

#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

namespace footfall::storage {

/// What goes wrong, and how often: chances from 0 to 1, each drawn for each call.
struct FaultOptions {
    /// submit() answers `refuse_as` and does nothing. At 1, health() says so too.
    double refuse_submit = 0;
    ErrorKind refuse_as = ErrorKind::overloaded;
    /// The write of a batch fails. It and everything queued behind it is lost: see lose_writes().
    double fail_write = 0;
    /// What was lost stands in the store after all, each partition of a batch for itself:
    /// outcome_unknown means both.
    double lost_but_written = 0.5;
    /// Lost batches stand in the store only whole, and as far as all before them do. Of the options
    /// given when the store was made, since it says so to its users.
    bool lose_only_the_end = false;
    /// A batch is written twice, one right behind the other.
    double duplicate_write = 0;
    /// A read answers `fail_read_as`.
    double fail_read = 0;
    ErrorKind fail_read_as = ErrorKind::timed_out;
    /// Batches stay queued, neither written nor durable, until release_writes().
    bool hold_writes = false;
    /// Held batches can be read though they are not durable yet.
    bool write_early = false;
    /// Answers to reads, found when they were asked, are kept back until release_reads().
    bool hold_reads = false;
    /// What pressure() answers, where the inner store says less.
    double pressure = 0;
};

/// A Store that fails as real ones do, over one that does not: for tests of whatever must survive
/// it. One seed gives the same faults for the same calls. Nothing sleeps; what is late is late
/// until the test releases it. With no faults chosen it keeps the Store contract, and with
/// duplicates too (the contract suite runs on both).
///
/// Nothing fails inside submit(), which may run under a lane's mutex: a batch whose write is to
/// fail stays queued, with all behind it, until the test calls release_writes(). There the waiters
/// are told, then the handlers of lost writes run, on the thread of the test, and until they return
/// submit() answers `unavailable`.
///
/// A lost position stays not durable for ever, also when later ones are.
///
/// Destroying it is a crash: what is held is dropped and nobody is told. Build another one on the
/// same inner store, which then is what was on disk. Must not be destroyed while the inner store
/// still owes it an answer (MemoryStore never does).
///
/// Thread-safe; no lock is held while completions and handlers run.
class FaultyStore final : public Store {
public:
    static constexpr std::size_t all = static_cast<std::size_t>(-1);

    FaultyStore(Store& inner, std::uint64_t seed, FaultOptions options = {});

    Result<CommitPosition> submit(const Batch& batch) override;
    bool durable(CommitPosition position) const override;
    void when_durable(CommitPosition position, DurableDone done) override;
    void read_many(const Table& table, std::vector<std::vector<Value>> keys, FoundDone done)
        override;
    void read_range(RangeQuery query, PageDone done) override;
    /// Absent while answers are held or may fail, and now and then besides.
    std::optional<Result<Page>> read_range_now(const RangeQuery& query) override;

    void scan(ScanQuery query, PageDone done) override;

    void forget_records(std::uint64_t log, std::uint32_t lane, std::uint64_t before) override {
        inner_.forget_records(log, lane, before);
    }

    Result<void> shred() override { return inner_.shred(); }

    Result<bool> rewrite() override { return inner_.rewrite(); }

    double pressure() const override;

    bool loses_only_the_end() const override { return loses_only_the_end_; }

    Result<void> health() const override;
    Subscription on_lost_writes(std::move_only_function<void()> handler) override;

    /// Changes the faults from here on; what is held stays held.
    void set_options(const FaultOptions& options);

    std::size_t held_writes() const;
    std::size_t held_reads() const;

    /// How many wait for a batch to become durable.
    std::size_t waiters() const;

    /// Writes the `count` oldest held batches, in order. If one is to fail, everything not durable
    /// is lost instead.
    void release_writes(std::size_t count = all);

    /// Gives the `count` oldest held answers.
    void release_reads(std::size_t count = all);

    /// Loses every batch that is not durable: what is written all the same `lost_but_written` says;
    /// all their waiters get outcome_unknown, then the handlers run. Does nothing when there is
    /// none.
    void lose_writes();

private:
    struct Held {
        CommitPosition position;
        Batch batch;
        bool fails;
        CommitPosition inner;  ///< Where the inner store has it, once write_early wrote it; else 0.
    };

    // With mutex_ held.
    bool draw(double chance);
    bool lost(CommitPosition position) const;
    Result<CommitPosition> write(const Batch& batch);
    void write_some_of(const std::deque<Held>& lost);
    std::vector<DurableDone> take_waiters(CommitPosition through);

    // Without.
    void wait_for_inner(CommitPosition position, CommitPosition inner);
    void settle(CommitPosition position, const Result<void>& outcome);
    template <class Answer>
    std::move_only_function<void(Result<Answer>)> faulty(
        std::move_only_function<void(Result<Answer>)> done
    );

    Store& inner_;
    const bool loses_only_the_end_;

    mutable std::mutex mutex_;  // guards all below
    Random random_;
    FaultOptions options_;
    std::deque<Held> queue_;
    CommitPosition last_ = 0;
    CommitPosition durable_ = 0;  ///< The highest acknowledged position.
    std::vector<std::pair<CommitPosition, CommitPosition>> lost_;  ///< First and last of each loss.
    std::multimap<CommitPosition, DurableDone> waiters_;
    std::deque<std::move_only_function<void()>> held_answers_;
    bool losing_ = false;

    Subscribers subscribers_;
};

}  // namespace footfall::storage
