#pragma once

#include "runtime/task.h"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>

#include <cstddef>
#include <memory>
#include <thread>
#include <vector>

namespace footfall::runtime {

/// How many cores this process may run on (sched_getaffinity): a container's limit counts, not the
/// machine's size.
std::size_t available_cores();

/// One io_context per thread. A connection is made on one of them and stays there; state that
/// several threads use is guarded by its lane, not by its thread. start() and stop() once each,
/// from one thread.
class IoThreads {
public:
    explicit IoThreads(std::size_t threads);
    IoThreads(const IoThreads&) = delete;
    IoThreads& operator=(const IoThreads&) = delete;
    /// stop() must have returned, or start() never have been called.
    ~IoThreads();

    std::size_t size() const { return slots_.size(); }

    boost::asio::io_context& context(std::size_t index) { return slots_[index]->context; }

    void start();

    /// Waits until the handlers that run have returned; what is still queued is dropped with the
    /// contexts.
    void stop();

private:
    struct Slot {
        boost::asio::io_context context{1};
        boost::asio::executor_work_guard<IoExecutor> keep_running{context.get_executor()};
        std::jthread thread;
    };

    std::vector<std::unique_ptr<Slot>> slots_;
};

}  // namespace footfall::runtime
