#include "deployment/key_watch.h"

#include "foundation/log.h"

namespace footfall::deployment {

KeyWatch::KeyWatch(keys::KeyRegistry& keys, std::chrono::milliseconds period)
    : turns_{"keys", runtime::Urgency::background, [this, &keys, period](const std::stop_token&) {
                 const Result<void> read = keys.reload();
                 if (!read && !failed_) {
                     log(LogLevel::warning, "keys cannot be read again: {}", read.error().message);
                 }
                 failed_ = !read;
                 return period;
             }} {}

}  // namespace footfall::deployment
