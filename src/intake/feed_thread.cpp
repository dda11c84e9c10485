#include "intake/feed_thread.h"

#include "foundation/log.h"
#include "runtime/enter_thread.h"

#include <chrono>
#include <utility>

namespace footfall::intake {
namespace {

/// How long a turn waits for records: so soon the reader does what is due.
constexpr std::chrono::milliseconds poll_patience{100};
/// After a failure.
constexpr std::chrono::milliseconds retry_pause{250};

}  // namespace

FeedThread::FeedThread(
    std::string name, std::unique_ptr<journal::LaneFeed> feed, journal::LaneReader& reader
)
    : name_{std::move(name)},
      feed_{std::move(feed)},
      reader_{&reader},
      thread_{[this](const std::stop_token& stop) { run(stop); }} {}

FeedThread::~FeedThread() {
    stop();
}

void FeedThread::stop() {
    thread_.request_stop();
    if (thread_.joinable()) {
        thread_.join();
    }
}

Result<void> FeedThread::health() const {
    const std::lock_guard lock{mutex_};
    if (last_ && !caught_up_) {
        return fail(ErrorKind::unavailable, name_ + " reads what came before");
    }
    return last_;
}

Result<void> FeedThread::turn() {
    using Next = journal::LaneReader::Next;
    TRY(const Next next, reader_->settle());
    if (next == Next::anew) {
        TRY_VOID(feed_->rewind(*reader_));
    } else if (next == Next::rejoin) {
        feed_->leave(*reader_, true);
    }
    return feed_->poll(*reader_, poll_patience);
}

void FeedThread::run(const std::stop_token& stop) {
    runtime::enter_thread(name_.c_str(), runtime::Urgency::work);
    while (!stop.stop_requested()) {
        Result<void> done = turn();
        std::unique_lock lock{mutex_};
        last_ = std::move(done);
        caught_up_ = caught_up_ || feed_->caught_up();
        if (last_) {
            continue;
        }
        log(LogLevel::warning, "{}: {}; trying again", name_, last_.error().message);
        wakes_.wait_for(lock, stop, retry_pause, [] { return false; });
    }
    feed_->leave(*reader_, false);
}

}  // namespace footfall::intake
