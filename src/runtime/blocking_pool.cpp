#include "runtime/blocking_pool.h"

namespace footfall::runtime {

BlockingPool::BlockingPool(
    std::size_t threads, std::size_t queue_limit, Urgency urgency, std::size_t begun_max
)
    : queue_limit_{queue_limit}, begun_max_{begun_max > 0 ? begun_max : threads} {
    for (std::size_t index = 0; index < threads; ++index) {
        threads_.emplace_back([this, urgency] { serve(urgency); });
    }
}

BlockingPool::~BlockingPool() {
    stop();
}

Result<void> BlockingPool::take(Turn turn) {
    {
        const std::lock_guard lock{mutex_};
        if (refusing_) {
            return fail(ErrorKind::cancelled, "the program is stopping");
        }
        if (begun_ == begun_max_) {
            if (waiting_.size() >= queue_limit_) {
                return fail(
                    ErrorKind::overloaded, "too many such requests are waiting; try again shortly"
                );
            }
            waiting_.push_back(std::move(turn));
            return {};
        }
        ++begun_;
        turns_.push_back(std::move(turn));
    }
    changed_.notify_one();
    return {};
}

void BlockingPool::refuse_waiting() {
    std::deque<Turn> refused;  // destroyed without the mutex: it may tell somebody
    const std::lock_guard lock{mutex_};
    refusing_ = true;
    std::swap(refused, waiting_);
}

void BlockingPool::stop() {
    {
        const std::lock_guard lock{mutex_};
        refusing_ = true;
        stopping_ = true;
    }
    changed_.notify_all();
    threads_.clear();
}

void BlockingPool::serve(Urgency urgency) {
    enter_thread("blocking pool", urgency);
    for (;;) {
        Turn turn;
        {
            std::unique_lock lock{mutex_};
            changed_.wait(lock, [this] { return stopping_ || !turns_.empty(); });
            if (turns_.empty()) {
                return;
            }
            turn = std::move(turns_.front());
            turns_.pop_front();
        }
        const bool more = turn();
        end_turn(std::move(turn), more);
    }
}

/// Whoever calls it goes on with the next turn, so nobody has to be woken up for one.
void BlockingPool::end_turn(Turn turn, bool more) {
    const std::lock_guard lock{mutex_};
    if (more) {
        turns_.push_back(std::move(turn));
    } else if (!waiting_.empty()) {
        turns_.push_back(std::move(waiting_.front()));
        waiting_.pop_front();
    } else {
        --begun_;
    }
}

}  // namespace footfall::runtime
