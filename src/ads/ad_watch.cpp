#include "ads/ad_watch.h"

#include "foundation/log.h"

namespace footfall::ads {

AdWatch::AdWatch(AdRegistry& ads, std::chrono::milliseconds period)
    : turns_{"ads", runtime::Urgency::background, [this, &ads, period](const std::stop_token&) {
                 const Result<void> read = ads.read_changes();
                 if (!read && !failed_) {
                     log(LogLevel::warning, "ads cannot be read again: {}", read.error().message);
                 }
                 failed_ = !read;
                 return period;
             }} {}

}  // namespace footfall::ads
