#pragma once

#include "foundation/seldom_log.h"
#include "journal/lane_feed.h"

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

namespace footfall::intake {

/// A thread that gives a reader what a feed brings, until stop(): then it takes leave of the others
/// that share the lanes. What fails is tried again, and said once in ten seconds; as often it is
/// said how far a reader is that has not caught up yet. The reader must outlive it.
class FeedThread {
public:
    /// `name`: of the thread, at most 15 characters.
    FeedThread(
        std::string name, std::unique_ptr<journal::LaneFeed> feed, journal::LaneReader& reader
    );
    FeedThread(const FeedThread&) = delete;
    FeedThread& operator=(const FeedThread&) = delete;
    ~FeedThread();

    /// Success while all goes well, once all was taken that was there at the beginning; else what
    /// was tried in vain at last. Thread-safe.
    Result<void> health() const;

    /// Idempotent. Waits.
    void stop();

private:
    void run(const std::stop_token& stop);
    Result<void> turn();
    void tell_progress(bool caught_up);
    void confirm(const std::stop_token& stop);

    const std::string name_;
    std::unique_ptr<journal::LaneFeed> feed_;
    journal::LaneReader* reader_;
    mutable std::mutex mutex_;
    Result<void> last_;  ///< Guarded by mutex_, as is the next.
    bool caught_up_ = false;
    const std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
    bool told_ = false;  ///< That it has not caught up yet; the thread's own.
    SeldomLog troubles_{std::chrono::seconds{10}};
    SeldomLog progress_{std::chrono::seconds{10}};
    std::condition_variable_any wakes_;
    std::jthread thread_;
    std::jthread confirming_;
};

}  // namespace footfall::intake
