#include "journal_kafka/open_lanes.h"

#include "foundation/check.h"

#include <algorithm>
#include <utility>

namespace footfall::journal_kafka {

OpenLanes::OpenLanes(const Options& options, Close close)
    : options_{options},
      close_{std::move(close)},
      turns_{"close-lanes", runtime::Urgency::background, [this](const std::stop_token&) {
                 close_idle();
                 return options_.idle / 2;
             }} {
    CHECK(options_.most > 0, "a lane at least");
    if (options_.metrics != nullptr) {
        open_gauge_ = options_.metrics->gauge(
            "footfall_log_lanes_open",
            "Lanes of the log of judged events that are open to read old events, each with records "
            "read ahead."
        );
        opened_counter_ = options_.metrics->counter(
            "footfall_log_lanes_opened_total",
            "Times that a lane was opened to read old events; where that is often, more are read "
            "at once than may be open."
        );
    }
}

OpenLanes::~OpenLanes() {
    turns_.stop();
    for (const Open& each : open_) {
        CHECK(!each.used, "a lane is used while its topic is closed", each.lane);
        close_(each.lane);
    }
}

OpenLanes::Use OpenLanes::use(std::uint32_t lane) {
    std::unique_lock lock{mutex_};
    for (;;) {
        Open* const open = find(lane);
        if (open != nullptr && !open->used) {
            open->used = true;
            return {*this, lane};
        }
        if (open == nullptr && open_.size() < options_.most) {
            open_.push_back({.lane = lane});
            if (opened_counter_) {
                opened_counter_->add();
            }
            tell();
            return {*this, lane};
        }
        Open* const other = open == nullptr ? longest_unused() : nullptr;
        if (other != nullptr) {
            close(lock, *other);
        } else {
            changed_.wait(lock);
        }
    }
}

void OpenLanes::close(std::uint32_t lane) {
    std::unique_lock lock{mutex_};
    changed_.wait(lock, [&] {
        const Open* const open = find(lane);
        return open == nullptr || !open->used;
    });
    if (Open* const open = find(lane)) {
        close(lock, *open);
    }
}

std::size_t OpenLanes::count() const {
    const std::scoped_lock lock{mutex_};
    return open_.size();
}

OpenLanes::Open* OpenLanes::find(std::uint32_t lane) {
    const auto found = std::ranges::find(open_, lane, &Open::lane);
    return found == open_.end() ? nullptr : &*found;
}

/// Null: all are used.
OpenLanes::Open* OpenLanes::longest_unused() {
    Open* longest = nullptr;
    for (Open& each : open_) {
        if (!each.used && (longest == nullptr || each.last_used < longest->last_used)) {
            longest = &each;
        }
    }
    return longest;
}

void OpenLanes::give_back(std::uint32_t lane) {
    const std::scoped_lock lock{mutex_};
    Open* const open = find(lane);
    CHECK(open != nullptr && open->used, "a lane that nobody used is given back", lane);
    open->used = false;
    open->last_used = std::chrono::steady_clock::now();
    changed_.notify_all();
}

/// One that nobody uses. The lock is let go meanwhile: closing asks the client's own thread.
void OpenLanes::close(std::unique_lock<std::mutex>& lock, Open& open) {
    const std::uint32_t lane = open.lane;
    open.used = true;
    lock.unlock();
    close_(lane);
    lock.lock();
    std::erase_if(open_, [&](const Open& each) { return each.lane == lane; });
    tell();
    changed_.notify_all();
}

void OpenLanes::close_idle() {
    std::unique_lock lock{mutex_};
    for (;;) {
        Open* const open = longest_unused();
        if (open == nullptr || open->last_used + options_.idle > std::chrono::steady_clock::now()) {
            return;
        }
        close(lock, *open);
    }
}

/// With mutex_ held.
void OpenLanes::tell() {
    if (open_gauge_) {
        open_gauge_->set(static_cast<double>(open_.size()));
    }
}

}  // namespace footfall::journal_kafka
