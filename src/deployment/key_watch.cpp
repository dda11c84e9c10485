#include "deployment/key_watch.h"

#include "foundation/log.h"
#include "runtime/enter_thread.h"

namespace footfall::deployment {

KeyWatch::KeyWatch(keys::KeyRegistry& keys, std::chrono::milliseconds period)
    : keys_{&keys}, period_{period}, thread_{[this](const std::stop_token& stop) { run(stop); }} {}

KeyWatch::~KeyWatch() {
    thread_.request_stop();
    thread_.join();
}

void KeyWatch::run(const std::stop_token& stop) {
    runtime::enter_thread("keys", runtime::Urgency::background);
    bool failed = false;
    while (!stop.stop_requested()) {
        const Result<void> read = keys_->reload();
        if (!read && !failed) {
            log(LogLevel::warning, "keys cannot be read again: {}", read.error().message);
        }
        failed = !read;
        std::unique_lock lock{mutex_};
        wakes_.wait_for(lock, stop, period_, [] { return false; });
    }
}

}  // namespace footfall::deployment
