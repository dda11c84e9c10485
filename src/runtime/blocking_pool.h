#pragma once

#include "foundation/result.h"
#include "runtime/enter_thread.h"

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

namespace footfall::runtime {

/// A few threads for calls that block or take long, so that the io threads never do. Long work is
/// done in turns: after each one the thread goes on with what others have begun, so that nobody
/// waits for the whole of it. The queue is bounded: full means `overloaded`, at once. Thread-safe.
class BlockingPool {
public:
    /// `queue_limit`: of work that waits to be begun. `begun_max`: so much may be begun at a time,
    /// for what is begun takes memory; 0: as much as there are threads.
    BlockingPool(
        std::size_t threads,
        std::size_t queue_limit,
        Urgency urgency = Urgency::work,
        std::size_t begun_max = 0
    );
    BlockingPool(const BlockingPool&) = delete;
    BlockingPool& operator=(const BlockingPool&) = delete;
    ~BlockingPool();

    /// Takes `work` to be called once, or, if it answers a bool, again and again while that is
    /// true. Begun in order of submission as far as threads are free. On failure `work` is not
    /// called.
    template <class Work>
    Result<void> submit(Work work) {
        if constexpr (std::is_same_v<std::invoke_result_t<Work&>, bool>) {
            return take(Turn{std::move(work)});
        } else {
            return take(Turn{[work = std::move(work)]() mutable {
                work();
                return false;
            }});
        }
    }

    /// Destroys what waits to be begun without calling it, and refuses what is submitted later: the
    /// program stops, and nobody is to wait for a queue. What is begun goes on. Idempotent.
    void refuse_waiting();

    /// Does what is left to do, then ends the threads. Later submits are refused. Idempotent.
    void stop();

private:
    /// Does a part; whether there is more to do.
    using Turn = std::move_only_function<bool()>;

    Result<void> take(Turn turn);
    void serve(Urgency urgency);
    void end_turn(Turn turn, bool more);

    const std::size_t queue_limit_;
    const std::size_t begun_max_;
    std::mutex mutex_;  // guards all below but the threads
    std::condition_variable changed_;
    std::deque<Turn> turns_;    ///< Of what may go on, the next one first.
    std::deque<Turn> waiting_;  ///< To be begun.
    std::size_t begun_ = 0;     ///< In turns_, or on a thread.
    bool refusing_ = false;
    bool stopping_ = false;
    std::vector<std::jthread> threads_;
};

}  // namespace footfall::runtime
