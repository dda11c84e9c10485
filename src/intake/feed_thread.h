#pragma once

#include "journal/lane_feed.h"

#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

namespace footfall::intake {

/// A thread that gives a reader what a feed brings, until stop(): then it takes leave of the others
/// that share the lanes. What fails is tried again. The reader must outlive it.
class FeedThread {
public:
    /// `name`: of the thread, at most 15 characters.
    FeedThread(
        std::string name, std::unique_ptr<journal::LaneFeed> feed, journal::LaneReader& reader
    );
    FeedThread(const FeedThread&) = delete;
    FeedThread& operator=(const FeedThread&) = delete;
    ~FeedThread();

    /// Idempotent. Waits.
    void stop();

private:
    void run(const std::stop_token& stop);
    Result<void> turn();

    const std::string name_;
    std::unique_ptr<journal::LaneFeed> feed_;
    journal::LaneReader* reader_;
    std::mutex mutex_;
    std::condition_variable_any wakes_;
    std::jthread thread_;
};

}  // namespace footfall::intake
