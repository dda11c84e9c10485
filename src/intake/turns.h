#pragma once

#include "foundation/log.h"
#include "foundation/result.h"
#include "runtime/enter_thread.h"

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

namespace footfall::intake {

/// A thread that does one turn of something after the other, until stop(). A turn that fails is
/// told of, and after a pause is tried again.
class Turns {
public:
    /// `name`: of the thread, at most 15 characters.
    Turns(std::string name, std::move_only_function<Result<void>()> turn)
        : name_{std::move(name)},
          turn_{std::move(turn)},
          thread_{[this](const std::stop_token& stop) { run(stop); }} {}

    Turns(const Turns&) = delete;
    Turns& operator=(const Turns&) = delete;

    ~Turns() { stop(); }

    /// Waits for the turn under way. Idempotent.
    void stop() {
        thread_.request_stop();
        if (thread_.joinable()) {
            thread_.join();
        }
    }

private:
    void run(const std::stop_token& stop) {
        constexpr std::chrono::milliseconds pause{250};
        runtime::enter_thread(name_.c_str(), runtime::Urgency::work);
        while (!stop.stop_requested()) {
            if (const Result<void> done = turn_(); !done) {
                log(LogLevel::warning, "{}: {}; trying again", name_, done.error().message);
                std::unique_lock lock{mutex_};
                wakes_.wait_for(lock, stop, pause, [] { return false; });
            }
        }
    }

    const std::string name_;
    std::move_only_function<Result<void>()> turn_;
    std::mutex mutex_;
    std::condition_variable_any wakes_;
    std::jthread thread_;
};

}  // namespace footfall::intake
