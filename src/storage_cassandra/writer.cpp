#include "storage_cassandra/writer.h"

#include "foundation/check.h"
#include "foundation/log.h"

#include <fmt/format.h>

#include <algorithm>
#include <future>

namespace footfall::storage_cassandra {

using storage::CommitPosition;
using storage::DurableDone;

namespace {

/// So many requests are on their way before others wait for company.
constexpr std::size_t at_once = 16;

/// The statements of a write, whose values stay in `cells`.
void append_calls(
    const PartitionWrite& write, std::vector<cql_cell>& cells, std::vector<Call>& calls
) {
    cells.reserve(write.cells.size());
    write.cells.append_views(0, write.cells.size(), cells);
    for (const PartitionWrite::Row& row : write.rows) {
        calls.push_back(
            {.statement = row.statement,
             .cells = std::span{cells}.subspan(row.first_cell, row.cells)}
        );
    }
}

/// Who has the first replica of what is written.
std::uint64_t owner_of(const Driver& driver, const PartitionWrite& write) {
    const PartitionWrite::Row& row = write.rows.front();
    std::vector<cql_cell> cells;
    write.cells.append_views(row.first_cell, row.cells, cells);
    return driver.owner({.statement = row.statement, .cells = cells});
}

/// Sends all as one request.
Result<void> send_all(
    Driver& driver,
    std::span<const PartitionWrite* const> writes,
    std::chrono::milliseconds deadline,
    SecondNode second,
    AnswerDone done
) {
    std::vector<std::vector<cql_cell>> cells(writes.size());
    std::vector<Call> calls;
    for (std::size_t at = 0; at < writes.size(); ++at) {
        append_calls(*writes[at], cells[at], calls);
    }
    return driver.execute(calls, deadline, second, std::move(done));
}

}  // namespace

Writer::Writer(
    Options options,
    Driver& driver,
    const Clock& clock,
    metrics::Metrics& metrics,
    std::function<const TableStatements&(const storage::Table&)> statements_of
)
    : options_{std::move(options)},
      driver_{driver},
      clock_{clock},
      statements_of_{std::move(statements_of)},
      repeated_{metrics.counter(
          "footfall_cassandra_repeated_writes_total", "Attempts of writes after their first one."
      )},
      failed_{metrics.counter(
          "footfall_cassandra_failed_writes_total",
          "Batches whose outcome is unknown: a write failed after all attempts, or was queued "
          "behind one."
      )},
      queued_{metrics.gauge(
          "footfall_cassandra_queued_bytes", "Bytes of writes that are not durable yet."
      )},
      seconds_{metrics.histogram(
          "footfall_cassandra_write_seconds",
          "Time a request of writes took, with all attempts.",
          metrics::duration_bounds()
      )},
      limiter_{options_.limiter, clock},
      limiter_metrics_{"writes", metrics} {}

Result<void> Writer::begin(std::int64_t reserved_by_others) {
    {
        const std::scoped_lock lock{mutex_};
        time_ = WriteTime{reserved_by_others, clock_.now()};
    }
    TRY_VOID(begin_behind(reserved_by_others));
    const std::scoped_lock lock{mutex_};
    state_ = State::running;
    return {};
}

Result<void> Writer::begin_behind(std::int64_t reserved_by_others) {
    const std::int64_t through = WriteTime::behind(reserved_by_others, clock_.now());
    const auto reserved = std::make_shared<std::promise<Result<void>>>();
    reserve(through, [reserved](Result<void> outcome) { reserved->set_value(std::move(outcome)); });
    TRY_VOID(reserved->get_future().get());
    const std::scoped_lock lock{mutex_};
    time_.begin_behind(reserved_by_others);
    time_.reserved(through);
    return {};
}

Result<CommitPosition> Writer::submit(const storage::Batch& batch) {
    if (batch.empty()) {
        return 0;
    }
    TRY(std::vector<PartitionWrite> writes, plan_writes(batch, clock_.now(), statements_of_));
    std::size_t bytes = 0;
    std::vector<std::uint64_t> owners;
    owners.reserve(writes.size());
    for (const PartitionWrite& write : writes) {
        bytes += write.bytes();
        owners.push_back(owner_of(driver_, write));
    }
    CommitPosition position = 0;
    bool recover_now = false;
    {
        const std::scoped_lock lock{mutex_};
        if (state_ != State::running) {
            recover_now = state_ == State::losing && in_flight_ == 0 && !recovering_;
            recovering_ = recovering_ || recover_now;
        } else if (queued_bytes_ >= options_.queue_limit_bytes) {
            return fail(ErrorKind::overloaded, "store write: the queue is full");
        } else if (const auto stamps = time_.next(clock_.now())) {
            position = ++last_;
            queued_bytes_ += bytes;
            open_.push_back(
                {.parts = writes.size(),
                 .bytes = bytes,
                 .submitted = std::chrono::steady_clock::now()}
            );
            for (std::size_t at = 0; at < writes.size(); ++at) {
                writes[at].set_timestamp(writes[at].shared ? stamps->shared : stamps->owned);
                queue_.push(
                    {.position = position,
                     .loss = lost_.size(),
                     .owner = owners[at],
                     .write = std::make_shared<const PartitionWrite>(std::move(writes[at]))}
                );
            }
        }
    }
    if (recover_now) {
        recover();
    }
    keep_reserved();
    if (position == 0) {
        TRY_VOID(health());
        return fail(ErrorKind::unavailable, "store write: no write time is reserved");
    }
    send();
    return position;
}

/// As many as the store bears.
std::vector<Writer::Sent> Writer::take_groups() {
    std::vector<Sent> taken;
    const std::scoped_lock lock{mutex_};
    while (!queue_.empty()) {
        const auto second = limiter_.speculate_after();
        const std::optional<Instant> begun = limiter_.try_begin();
        if (!begun) {
            break;
        }
        Group group = queue_.take(in_flight_ >= at_once);
        if (group.empty()) {
            limiter_.abandon();
            break;
        }
        ++in_flight_;
        taken.push_back(
            {.group = std::move(group),
             .begun = *begun,
             .second =
                 {.after = second.value_or(options_.speculate), .from_attempt = second ? 1U : 2U}}
        );
    }
    return taken;
}

void Writer::send() {
    for (Sent& taken : take_groups()) {
        const auto sending = std::make_shared<const Sent>(std::move(taken));
        std::vector<const PartitionWrite*> writes;
        for (const Part& part : sending->group) {
            writes.push_back(part.write.get());
        }
        const auto sent_at = std::chrono::steady_clock::now();
        const Result<void> sent = send_all(
            driver_,
            writes,
            options_.deadline,
            sending->second,
            [this, sending, sent_at](const Answer& answer) {
                seconds_.observe(seconds_since(sent_at));
                note_end(sending->begun, answer);
                finish(sending->group, answer.outcome(), answer.attempts());
            }
        );
        if (!sent) {
            {
                const std::scoped_lock lock{mutex_};
                limiter_.abandon();
            }
            finish(sending->group, sent, 0);
        }
    }
}

void Writer::note_end(Instant begun, const Answer& answer) {
    const std::scoped_lock lock{mutex_};
    limiter_.end(begun, answer.is_of_trouble(), answer.speculations());
}

void Writer::finish(const Group& group, const Result<void>& outcome, std::uint32_t attempts) {
    std::vector<DurableDone> waiting;
    std::optional<std::chrono::nanoseconds> slowest;
    bool failed = false;
    bool recover_now = false;
    {
        const std::scoped_lock lock{mutex_};
        --in_flight_;
        if (group.front().loss == lost_.size()) {  // a loss takes all that is queued: so are all
            failed = !outcome;
            if (failed) {
                lose(outcome.error(), waiting);
            } else {
                for (const Part& part : group) {
                    --open_[part.position - finished_ - 1].parts;
                }
                slowest = advance(waiting);
            }
        }
        recover_now = state_ == State::losing && in_flight_ == 0 && !recovering_;
        recovering_ = recovering_ || recover_now;
    }
    if (attempts > 1) {
        repeated_.add(attempts - 1);
    }
    if (slowest && options_.on_durable) {
        options_.on_durable(*slowest);
    }
    for (DurableDone& done : waiting) {
        done(
            failed ? fail(
                         ErrorKind::outcome_unknown,
                         fmt::format("store write: {}", outcome.error().message)
                     )
                   : Result<void>{}
        );
    }
    if (recover_now) {
        recover();
    }
    send();
    note_idle();
}

/// How long the slowest of the batches took that became durable, if any did.
std::optional<std::chrono::nanoseconds> Writer::advance(std::vector<DurableDone>& waiting) {
    std::optional<std::chrono::nanoseconds> slowest;
    const auto now = std::chrono::steady_clock::now();
    while (!open_.empty() && open_.front().parts == 0) {
        const std::chrono::nanoseconds taken = now - open_.front().submitted;
        slowest = std::max(slowest.value_or(taken), taken);
        queued_bytes_ -= open_.front().bytes;
        open_.pop_front();
        ++finished_;
        durable_ = finished_;
    }
    take_waiters(finished_, waiting);
    return slowest;
}

void Writer::lose(Error cause, std::vector<DurableDone>& waiting) {
    failed_.add(static_cast<double>(last_ - finished_));
    log(LogLevel::error,
        "cassandra: {} batches of writes have an unknown outcome: {}",
        last_ - finished_,
        cause.message);
    failure_ = std::move(cause.message);
    lost_.emplace_back(finished_ + 1, last_);
    finished_ = last_;
    queue_.clear();
    open_.clear();
    queued_bytes_ = 0;
    state_ = state_ == State::closed ? State::closed : State::losing;
    take_waiters(last_, waiting);
}

void Writer::take_waiters(CommitPosition through, std::vector<DurableDone>& waiting) {
    const auto end = waiters_.upper_bound(through);
    for (auto waiter = waiters_.begin(); waiter != end; ++waiter) {
        waiting.push_back(std::move(waiter->second));
    }
    waiters_.erase(waiters_.begin(), end);
}

bool Writer::durable(CommitPosition position) const {
    if (position > durable_) {
        return false;
    }
    const std::scoped_lock lock{mutex_};
    return !lost(position);
}

bool Writer::lost(CommitPosition position) const {
    return std::ranges::any_of(lost_, [&](const auto& range) {
        return range.first <= position && position <= range.second;
    });
}

void Writer::when_durable(CommitPosition position, DurableDone done) {
    Result<void> outcome;
    {
        const std::scoped_lock lock{mutex_};
        CHECK(position <= last_, "a position that no submit answered", position);
        if (position > finished_) {
            waiters_.emplace(position, std::move(done));
            return;
        }
        if (lost(position)) {
            outcome = fail(ErrorKind::outcome_unknown, "store write: " + failure_);
        }
    }
    done(std::move(outcome));
}

double Writer::pressure() const {
    const std::scoped_lock lock{mutex_};
    return static_cast<double>(queued_bytes_) / static_cast<double>(options_.queue_limit_bytes);
}

Result<void> Writer::health() const {
    const std::scoped_lock lock{mutex_};
    switch (state_) {
        case State::running:
            return {};
        case State::losing:
            return fail(ErrorKind::unavailable, "store write: " + failure_);
        case State::closed:
            return fail(ErrorKind::unavailable, "store write: closed");
    }
    CHECK(false, "a state of the writer", static_cast<int>(state_));
}

storage::Subscription Writer::on_lost_writes(std::move_only_function<void()> handler) {
    return subscribers_.add(std::move(handler));
}

void Writer::reserve(std::int64_t through, std::move_only_function<void(Result<void>)> done) {
    storage::Batch batch;
    batch.upsert(write_time_table, {"all", through});
    auto writes = plan_writes(batch, clock_.now(), statements_of_);
    CHECK(writes && writes->size() == 1, "one row is one write");
    // At the time it names: of two reservations the later one stands.
    writes->front().set_timestamp(through);
    // Shared, since a request that is refused does not give its completion back.
    const auto told =
        std::make_shared<std::move_only_function<void(Result<void>)>>(std::move(done));
    const PartitionWrite* const write = &writes->front();
    const Result<void> sent = send_all(
        driver_,
        {&write, 1},
        options_.deadline,
        {.after = options_.speculate},
        [told](const Answer& answer) { (*told)(answer.outcome()); }
    );
    if (!sent) {
        (*told)(sent);
    }
}

void Writer::tick() {
    {
        const std::scoped_lock lock{mutex_};
        queued_.set(static_cast<double>(queued_bytes_));
        limiter_metrics_.tell(limiter_);
    }
    keep_reserved();
}

void Writer::keep_reserved() {
    std::optional<std::int64_t> wanted;
    {
        const std::scoped_lock lock{mutex_};
        if (state_ == State::running && !reserving_) {
            wanted = time_.wanted(clock_.now());
            reserving_ = wanted.has_value();
            in_flight_ += reserving_ ? 1 : 0;
        }
    }
    if (!wanted) {
        return;
    }
    reserve(*wanted, [this, through = *wanted](const Result<void>& outcome) {
        bool recover_now = false;
        {
            const std::scoped_lock lock{mutex_};
            reserving_ = false;
            --in_flight_;
            if (outcome) {
                time_.reserved(through);
            }
            recover_now = state_ == State::losing && in_flight_ == 0 && !recovering_;
            recovering_ = recovering_ || recover_now;
        }
        if (recover_now) {
            recover();
        }
        note_idle();
    });
}

void Writer::recover() {
    std::int64_t through = 0;
    {
        const std::scoped_lock lock{mutex_};
        const Instant now = clock_.now();
        through = time_.wanted(now).value_or(WriteTime::behind(0, now));
    }
    // The reservation is a write like any other: when it succeeds, others will.
    reserve(through, [this, through](const Result<void>& outcome) {
        const bool later = !outcome && (outcome.error().kind == ErrorKind::timed_out ||
                                        outcome.error().kind == ErrorKind::unavailable);
        bool again = false;
        {
            const std::scoped_lock lock{mutex_};
            again = later && state_ == State::losing;
            recovering_ = again || outcome;
            if (outcome) {
                time_.reserved(through);
            }
        }
        if (outcome) {
            accept_again();
        } else if (again) {
            recover();
        }
        note_idle();
    });
}

void Writer::accept_again() {
    subscribers_.tell();  // without the lock: they ask the store again
    const std::scoped_lock lock{mutex_};
    recovering_ = false;
    if (state_ == State::losing) {
        state_ = State::running;
        log(LogLevel::info, "cassandra: writes are taken again");
    }
}

void Writer::note_idle() {
    const std::scoped_lock lock{mutex_};
    if (in_flight_ == 0 && queue_.empty() && !recovering_) {
        idle_.notify_all();
    }
}

void Writer::close() {
    std::unique_lock lock{mutex_};
    state_ = State::closed;
    idle_.wait(lock, [&] { return in_flight_ == 0 && queue_.empty() && !recovering_; });
}

}  // namespace footfall::storage_cassandra
