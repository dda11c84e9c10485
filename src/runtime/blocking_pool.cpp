#include "runtime/blocking_pool.h"

#include <utility>

namespace footfall::runtime {

BlockingPool::BlockingPool(std::size_t threads, std::size_t queue_limit, Urgency urgency)
    : queue_limit_{queue_limit} {
    for (std::size_t index = 0; index < threads; ++index) {
        threads_.emplace_back([this, urgency] { serve(urgency); });
    }
}

BlockingPool::~BlockingPool() {
    stop();
}

Result<void> BlockingPool::submit(Work work) {
    {
        const std::lock_guard lock{mutex_};
        if (stopping_) {
            return fail(ErrorKind::cancelled, "the program is stopping");
        }
        if (queue_.size() >= queue_limit_) {
            return fail(
                ErrorKind::overloaded, "too many such requests are waiting; try again shortly"
            );
        }
        queue_.push_back(std::move(work));
    }
    changed_.notify_one();
    return {};
}

void BlockingPool::stop() {
    {
        const std::lock_guard lock{mutex_};
        stopping_ = true;
    }
    changed_.notify_all();
    threads_.clear();
}

void BlockingPool::serve(Urgency urgency) {
    enter_thread("blocking pool", urgency);
    for (;;) {
        Work work;
        {
            std::unique_lock lock{mutex_};
            changed_.wait(lock, [this] { return stopping_ || !queue_.empty(); });
            if (queue_.empty()) {
                return;
            }
            work = std::move(queue_.front());
            queue_.pop_front();
        }
        work();
    }
}

}  // namespace footfall::runtime
