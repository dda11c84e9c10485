#include "storage_rocksdb/committer.h"

#include "foundation/log.h"
#include "runtime/enter_thread.h"

#include <fmt/format.h>

#include <algorithm>

namespace footfall::storage_rocksdb {

using storage::CommitPosition;
using storage::DurableDone;

namespace {

/// A block of this size is written though nobody waits for it.
constexpr std::size_t full_block_bytes = 1 << 20;
/// And any block after this time.
constexpr std::chrono::milliseconds longest_gathering{10};

}  // namespace

Committer::Committer(Options options, Actions actions)
    : options_{std::move(options)}, actions_{std::move(actions)}, thread_{[this] { run(); }} {}

Committer::~Committer() {
    stop();
}

Result<CommitPosition> Committer::submit(const Block& rows) {
    std::unique_lock lock{mutex_};
    TRY_VOID(check_accepting(rows.bytes()));
    gathering_.append(rows);
    const CommitPosition position = ++submitted_;
    const bool wake = asleep_ || gathering_.bytes() >= full_block_bytes;
    lock.unlock();  // or the thread that is woken would wait for it at once
    if (wake) {
        work_.notify_one();
    }
    return position;
}

void Committer::fail_store(Error cause) {
    const std::lock_guard lock{mutex_};
    reported_ = std::move(cause);
    work_.notify_one();
}

bool Committer::durable(CommitPosition position) const {
    if (position > durable_.load(std::memory_order_acquire)) {
        return false;
    }
    if (!any_lost_.load(std::memory_order_acquire)) {
        return true;
    }
    const std::lock_guard lock{mutex_};
    return !lost(position);
}

void Committer::when_durable(CommitPosition position, DurableDone done) {
    Result<void> outcome;
    {
        const std::lock_guard lock{mutex_};
        if (lost(position)) {
            outcome = fail(
                ErrorKind::outcome_unknown,
                "the write may or may not have been stored; sending it again is safe"
            );
        } else if (position > durable_.load(std::memory_order_relaxed)) {
            waiters_.push_back({.position = position, .done = std::move(done)});
            if (waiters_.size() == 1) {
                work_.notify_one();
            }
            return;
        }
    }
    done(std::move(outcome));
}

Result<void> Committer::health() const {
    const std::lock_guard lock{mutex_};
    return failure_ ? Result<void>{std::unexpected(*failure_)} : Result<void>{};
}

void Committer::stop() {
    {
        const std::lock_guard lock{mutex_};
        stopping_ = true;
    }
    work_.notify_one();
    if (thread_.joinable()) {
        thread_.join();
    }
}

void Committer::run() {
    runtime::enter_thread("committer", runtime::Urgency::first);
    std::unique_lock lock{mutex_};
    while (wait_for_work(lock)) {
        if (failure_) {
            lock.unlock();
            Result<void> recovered = actions_.recover();
            lock.lock();
            if (recovered) {
                if (std::exchange(said_, false)) {
                    log(LogLevel::info, "the store accepts writes again");
                }
                failure_.reset();
                reported_.reset();
                continue;
            }
            say("no writes are accepted: " + recovered.error().message);
            failure_ = std::move(recovered).error();
            work_.wait_for(lock, options_.recover_pause, [this] { return stopping_; });
            continue;
        }
        if (reported_) {
            Error cause = *std::move(reported_);
            reported_.reset();
            lose_writes(lock, std::move(cause));
            continue;
        }
        if (!gathering_.empty()) {
            wait_for_brake(lock);
            write_block(lock);
        }
        sync_if_due(lock);
    }
}

/// Waits until somebody waits for rows, there are many, or they have waited long; for a sync that
/// is due; or for trouble. Answers false when all is written and stop() was called.
bool Committer::wait_for_work(std::unique_lock<std::mutex>& lock) {
    const auto ready = [this] {
        return stopping_ || failure_.has_value() || reported_.has_value() || !waiters_.empty() ||
               gathering_.bytes() >= full_block_bytes;
    };
    auto until = std::chrono::steady_clock::now() + longest_gathering;
    if (sync_due_ && !failure_) {
        until = std::min(until, *sync_due_);
    }
    const bool is_idle = !work_.wait_until(lock, until, ready) && gathering_.empty() && !sync_due_;
    if (is_idle) {
        asleep_ = true;
        work_.wait(lock, [&] { return ready() || !gathering_.empty(); });
        asleep_ = false;
    }
    return !stopping_ || (!failure_ && !gathering_.empty()) || (sync_due_ && !failure_);
}

/// Waits as long as the brake says; rows that come meanwhile go into the same block.
void Committer::wait_for_brake(std::unique_lock<std::mutex>& lock) {
    const auto cut_short = [this] { return stopping_ || reported_.has_value(); };
    for (Brake brake{.again = true}; brake.again && !cut_short();) {
        brake = actions_.brake();
        if (brake.pause.count() > 0) {
            work_.wait_for(lock, brake.pause, cut_short);
        }
    }
}

void Committer::write_block(std::unique_lock<std::mutex>& lock) {
    Block block = std::exchange(gathering_, {});
    const std::size_t bytes = block.bytes();
    const CommitPosition last = submitted_;
    lock.unlock();
    const auto started = std::chrono::steady_clock::now();
    const bool sync_now = !options_.sync_interval;
    Result<void> written = actions_.write(block, sync_now);
    if (written) {
        actions_.observe(std::chrono::steady_clock::now() - started, bytes);
    }
    lock.lock();
    if (!written) {
        lose_writes(lock, std::move(written).error());
        return;
    }
    if (!sync_now && !sync_due_) {
        sync_due_ = started + *options_.sync_interval;
    }
    durable_.store(last, std::memory_order_release);
    std::vector<Waiter> released = take_waiters(last);
    lock.unlock();
    for (Waiter& waiter : released) {
        waiter.done({});
    }
    lock.lock();
}

void Committer::sync_if_due(std::unique_lock<std::mutex>& lock) {
    if (!sync_due_ || failure_ || (!stopping_ && std::chrono::steady_clock::now() < *sync_due_)) {
        return;
    }
    sync_due_.reset();
    lock.unlock();
    Result<void> synced = actions_.sync();
    lock.lock();
    if (!synced) {
        lose_writes(lock, std::move(synced).error());
    }
}

void Committer::lose_writes(std::unique_lock<std::mutex>& lock, Error cause) {
    say("a write failed, no more are accepted until the store is reopened: " + cause.message);
    gathering_ = {};
    sync_due_.reset();
    const CommitPosition durable = durable_.load(std::memory_order_relaxed);
    if (submitted_ > durable) {
        lost_.emplace_back(durable + 1, submitted_);
        any_lost_.store(true, std::memory_order_release);
        durable_.store(submitted_, std::memory_order_release);
    }
    failure_ = std::move(cause);
    std::vector<Waiter> waiters = std::exchange(waiters_, {});
    lock.unlock();
    for (Waiter& waiter : waiters) {
        waiter.done(fail(
            ErrorKind::outcome_unknown,
            "the write may or may not have been stored; sending it again is safe"
        ));
    }
    lock.lock();
}

void Committer::say(const std::string& trouble) {
    said_ |= options_.troubles->say(LogLevel::error, trouble);
}

std::vector<Committer::Waiter> Committer::take_waiters(CommitPosition through) {
    std::vector<Waiter> taken;
    const auto kept =
        std::partition(waiters_.begin(), waiters_.end(), [through](const Waiter& waiter) {
            return waiter.position > through;
        });
    taken.assign(std::make_move_iterator(kept), std::make_move_iterator(waiters_.end()));
    waiters_.erase(kept, waiters_.end());
    return taken;
}

Result<void> Committer::check_accepting(std::size_t bytes) const {
    if (failure_) {
        return fail(
            ErrorKind::unavailable,
            fmt::format("the store does not accept writes: {}", failure_->message)
        );
    }
    if (stopping_) {
        return fail(ErrorKind::unavailable, "the store is closing");
    }
    if (!gathering_.empty() && gathering_.bytes() + bytes > options_.queue_limit_bytes) {
        return fail(ErrorKind::overloaded, "the store's write queue is full");
    }
    return {};
}

bool Committer::lost(CommitPosition position) const {
    return std::ranges::any_of(lost_, [position](const auto& range) {
        return range.first <= position && position <= range.second;
    });
}

}  // namespace footfall::storage_rocksdb
