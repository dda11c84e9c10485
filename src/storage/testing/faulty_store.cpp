#include "storage_testing/faulty_store.h"

#include "foundation/check.h"

#include <algorithm>
#include <ranges>
#include <string_view>

namespace footfall::storage {

namespace {

/// What the batch does in each partition.
std::vector<Batch> parts_of(const Batch& batch) {
    std::map<std::pair<std::string_view, std::string_view>, Batch> parts;
    batch.for_each([&](const Batch::Mutation& mutation) {
        const std::string_view partition = mutation.key.substr(0, mutation.partition_length);
        parts[{mutation.table->name, partition}].append(mutation);
    });
    std::vector<Batch> each;
    for (Batch& part : std::views::values(parts)) {
        each.push_back(std::move(part));
    }
    return each;
}

}  // namespace

FaultyStore::FaultyStore(Store& inner, std::uint64_t seed, FaultOptions options)
    : inner_{inner},
      loses_only_the_end_{options.lose_only_the_end},
      random_{seed},
      options_{options} {}

Result<CommitPosition> FaultyStore::submit(const Batch& batch) {
    if (batch.empty()) {
        return 0;
    }
    CommitPosition position = 0;
    CommitPosition inner = 0;
    {
        const std::scoped_lock lock{mutex_};
        if (losing_) {
            return fail(ErrorKind::unavailable, "store write: lost writes are being dropped");
        }
        if (draw(options_.refuse_submit)) {
            return fail(options_.refuse_as, "store write: refused by the test");
        }
        const bool fails = draw(options_.fail_write);
        if (options_.hold_writes || fails || !queue_.empty()) {
            queue_.push_back({.position = ++last_, .batch = batch, .fails = fails, .inner = 0});
            if (options_.write_early) {
                for (Held& held : queue_) {
                    held.inner = held.inner != 0 ? held.inner : write(held.batch).value_or(0);
                }
            }
            return last_;
        }
        TRY(inner, write(batch));
        position = ++last_;
    }
    wait_for_inner(position, inner);
    return position;
}

bool FaultyStore::durable(CommitPosition position) const {
    const std::scoped_lock lock{mutex_};
    return position <= durable_ && !lost(position);
}

void FaultyStore::when_durable(CommitPosition position, DurableDone done) {
    Result<void> outcome;
    {
        const std::scoped_lock lock{mutex_};
        CHECK(position <= last_, "a position that no submit answered", position);
        if (lost(position)) {
            outcome = fail(ErrorKind::outcome_unknown, "store write: lost by the test");
        } else if (position > durable_) {
            waiters_.emplace(position, std::move(done));
            return;
        }
    }
    done(std::move(outcome));
}

void FaultyStore::read_many(
    const Table& table, std::vector<std::vector<Value>> keys, FoundDone done
) {
    inner_.read_many(table, std::move(keys), faulty<Found>(std::move(done)));
}

void FaultyStore::read_range(RangeQuery query, PageDone done) {
    inner_.read_range(std::move(query), faulty<Page>(std::move(done)));
}

std::optional<Result<Page>> FaultyStore::read_range_now(const RangeQuery& query) {
    {
        const std::scoped_lock lock{mutex_};
        if (options_.hold_reads || options_.fail_read > 0 || draw(0.25)) {
            return std::nullopt;
        }
    }
    return inner_.read_range_now(query);
}

void FaultyStore::scan(ScanQuery query, PageDone done) {
    inner_.scan(std::move(query), faulty<Page>(std::move(done)));
}

Result<void> FaultyStore::health() const {
    const std::scoped_lock lock{mutex_};
    if (losing_ || options_.refuse_submit >= 1) {
        return fail(options_.refuse_as, "the test refuses all writes");
    }
    return inner_.health();
}

double FaultyStore::pressure() const {
    const std::scoped_lock lock{mutex_};
    return std::max(options_.pressure, inner_.pressure());
}

Subscription FaultyStore::on_lost_writes(std::move_only_function<void()> handler) {
    return subscribers_.add(std::move(handler));
}

void FaultyStore::set_options(const FaultOptions& options) {
    const std::scoped_lock lock{mutex_};
    options_ = options;
}

std::size_t FaultyStore::held_writes() const {
    const std::scoped_lock lock{mutex_};
    return queue_.size();
}

std::size_t FaultyStore::waiters() const {
    const std::scoped_lock lock{mutex_};
    return waiters_.size();
}

std::size_t FaultyStore::held_reads() const {
    const std::scoped_lock lock{mutex_};
    return held_answers_.size();
}

void FaultyStore::release_writes(std::size_t count) {
    for (; count > 0; --count) {
        CommitPosition position = 0;
        CommitPosition inner = 0;
        {
            const std::scoped_lock lock{mutex_};
            if (queue_.empty()) {
                return;
            }
            Held& next = queue_.front();
            if (!next.fails) {
                inner = next.inner != 0 ? next.inner : write(next.batch).value_or(0);
            }
            if (inner != 0) {
                position = next.position;
                queue_.pop_front();
            }
        }
        if (inner == 0) {
            lose_writes();
            return;
        }
        wait_for_inner(position, inner);
    }
}

void FaultyStore::release_reads(std::size_t count) {
    for (; count > 0; --count) {
        std::move_only_function<void()> answer;
        {
            const std::scoped_lock lock{mutex_};
            if (held_answers_.empty()) {
                return;
            }
            answer = std::move(held_answers_.front());
            held_answers_.pop_front();
        }
        answer();
    }
}

void FaultyStore::lose_writes() {
    std::vector<DurableDone> waiting;
    {
        const std::scoped_lock lock{mutex_};
        const CommitPosition known = std::max(durable_, lost_.empty() ? 0 : lost_.back().second);
        if (known == last_) {
            return;
        }
        losing_ = true;
        write_some_of(queue_);
        queue_.clear();
        lost_.emplace_back(known + 1, last_);
        waiting = take_waiters(last_);
    }
    for (DurableDone& done : waiting) {
        done(fail(ErrorKind::outcome_unknown, "store write: lost by the test"));
    }
    subscribers_.tell();
    const std::scoped_lock lock{mutex_};
    losing_ = false;
}

void FaultyStore::write_some_of(const std::deque<Held>& lost) {
    for (const Held& held : lost) {
        if (held.inner != 0) {
            continue;
        }
        if (loses_only_the_end_) {
            if (!draw(options_.lost_but_written)) {
                return;
            }
            (void)write(held.batch);
            continue;
        }
        for (const Batch& part : parts_of(held.batch)) {
            if (draw(options_.lost_but_written)) {
                (void)write(part);
            }
        }
    }
}

bool FaultyStore::draw(double chance) {
    return chance > 0 && random_.fraction() < chance;
}

bool FaultyStore::lost(CommitPosition position) const {
    return std::ranges::any_of(lost_, [&](const auto& range) {
        return range.first <= position && position <= range.second;
    });
}

Result<CommitPosition> FaultyStore::write(const Batch& batch) {
    if (draw(options_.duplicate_write)) {
        TRY_VOID(inner_.submit(batch));
    }
    return inner_.submit(batch);
}

void FaultyStore::wait_for_inner(CommitPosition position, CommitPosition inner) {
    inner_.when_durable(inner, [this, position](const Result<void>& outcome) {
        settle(position, outcome);
    });
}

void FaultyStore::settle(CommitPosition position, const Result<void>& outcome) {
    std::vector<DurableDone> waiting;
    {
        const std::scoped_lock lock{mutex_};
        if (lost(position)) {
            return;
        }
        if (outcome) {
            durable_ = std::max(durable_, position);
            waiting = take_waiters(durable_);
        }
    }
    if (!outcome) {
        lose_writes();
    }
    for (DurableDone& done : waiting) {
        done({});
    }
}

std::vector<DurableDone> FaultyStore::take_waiters(CommitPosition through) {
    std::vector<DurableDone> taken;
    const auto end = waiters_.upper_bound(through);
    for (auto waiter = waiters_.begin(); waiter != end; ++waiter) {
        taken.push_back(std::move(waiter->second));
    }
    waiters_.erase(waiters_.begin(), end);
    return taken;
}

template <class Answer>
std::move_only_function<void(Result<Answer>)> FaultyStore::faulty(
    std::move_only_function<void(Result<Answer>)> done
) {
    const std::scoped_lock lock{mutex_};
    const bool fails = draw(options_.fail_read);
    return [this, fails, kind = options_.fail_read_as, done = std::move(done)](Result<Answer> answer
           ) mutable {
        if (fails) {
            answer = fail(kind, "store read: failed by the test");
        }
        {
            const std::scoped_lock held_lock{mutex_};
            if (options_.hold_reads) {
                held_answers_.emplace_back([done = std::move(done), answer = std::move(answer)](
                                           ) mutable { done(std::move(answer)); });
                return;
            }
        }
        done(std::move(answer));
    };
}

}  // namespace footfall::storage
