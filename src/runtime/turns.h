#pragma once

#include "foundation/result.h"
#include "foundation/seldom_log.h"
#include "runtime/enter_thread.h"

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>

namespace footfall::runtime {

/// A thread that does one turn of something after the other, with a pause between, until stop().
/// Owns the thread; what the turn refers to must outlive it. stop() from one thread only.
class Turns {
public:
    using Pause = std::chrono::milliseconds;

    /// Does a turn, and answers after what pause the next one is due. A long one ends early when
    /// it is to stop.
    using Turn = std::move_only_function<Pause(const std::stop_token&)>;

    /// Does a turn of what is to be done all the time: without a pause while it goes well. After a
    /// failure it is tried again a little later; the log says so, once in ten seconds.
    using Always = std::move_only_function<Result<void>()>;

    /// `name`: of the thread, at most 15 characters. The first turn begins at once.
    Turns(std::string name, Urgency urgency, Turn turn);
    Turns(std::string name, Urgency urgency, Always turn);

    Turns(const Turns&) = delete;
    Turns& operator=(const Turns&) = delete;

    ~Turns() { stop(); }

    /// Waits for the turn under way; a pause ends early. Idempotent.
    void stop();

private:
    Pause after(const Result<void>& done);
    void run(const std::stop_token& stop);

    const std::string name_;
    const Urgency urgency_;
    SeldomLog troubles_{std::chrono::seconds{10}};
    Turn turn_;
    std::mutex mutex_;  ///< Of the pause.
    std::condition_variable_any wakes_;
    std::jthread thread_;  // last: ends before what it uses
};

}  // namespace footfall::runtime
