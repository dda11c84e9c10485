#include "intake/feed_thread.h"

#include "foundation/log.h"
#include "runtime/enter_thread.h"

#include <fmt/format.h>

#include <chrono>
#include <utility>

namespace footfall::intake {
namespace {

/// How long a turn waits for records: so soon the reader does what is due.
constexpr std::chrono::milliseconds poll_patience{100};
/// How often it is asked whether lanes are still ours.
constexpr std::chrono::milliseconds confirm_period{250};
/// After a failure.
constexpr std::chrono::milliseconds retry_pause{250};
/// A start that is over sooner is not spoken of.
constexpr std::chrono::seconds short_start{1};

}  // namespace

FeedThread::FeedThread(
    std::string name, std::unique_ptr<journal::LaneFeed> feed, journal::LaneReader& reader
)
    : name_{std::move(name)},
      feed_{std::move(feed)},
      reader_{&reader},
      thread_{[this](const std::stop_token& stop) { run(stop); }},
      confirming_{[this](const std::stop_token& stop) { confirm(stop); }} {}

FeedThread::~FeedThread() {
    stop();
}

void FeedThread::stop() {
    thread_.request_stop();
    if (thread_.joinable()) {
        thread_.join();
    }
    confirming_.request_stop();
    if (confirming_.joinable()) {
        confirming_.join();
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

/// A turn may take long, when the store is slow.
void FeedThread::confirm(const std::stop_token& stop) {
    runtime::enter_thread("lanes ours", runtime::Urgency::answers);
    std::mutex mutex;
    std::condition_variable_any wakes;
    std::unique_lock lock{mutex};
    while (!wakes.wait_for(lock, stop, confirm_period, [&] { return stop.stop_requested(); })) {
        reader_->confirm(!feed_->lost());
    }
}

/// Only of a start that takes its time.
void FeedThread::tell_progress(bool caught_up) {
    const auto passed = std::chrono::steady_clock::now() - begun_;
    if (!caught_up && passed > short_start) {
        told_ |= progress_.say(
            LogLevel::info,
            fmt::format("{} reads what came before; records to go: {}", name_, feed_->behind())
        );
    } else if (caught_up && told_) {
        log(LogLevel::info,
            "{} has read what came before, in {:.1f} s",
            name_,
            std::chrono::duration<double>(passed).count());
    }
}

void FeedThread::run(const std::stop_token& stop) {
    runtime::enter_thread(name_.c_str(), runtime::Urgency::work);
    while (!stop.stop_requested()) {
        Result<void> done = turn();
        std::unique_lock lock{mutex_};
        last_ = std::move(done);
        if (!caught_up_) {
            caught_up_ = feed_->caught_up();
            tell_progress(caught_up_);
        }
        if (last_) {
            continue;
        }
        troubles_.say(
            LogLevel::warning, fmt::format("{}: {}; trying again", name_, last_.error().message)
        );
        wakes_.wait_for(lock, stop, retry_pause, [] { return false; });
    }
    feed_->leave(*reader_, false);
}

}  // namespace footfall::intake
