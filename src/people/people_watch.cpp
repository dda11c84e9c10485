#include "people/people_watch.h"

#include "foundation/log.h"

namespace footfall::people {

PeopleWatch::PeopleWatch(People& people, std::chrono::milliseconds period)
    : turns_{"people", runtime::Urgency::work, [this, &people, period](const std::stop_token&) {
                 const Result<void> read = people.read_changes();
                 if (!read && !failed_) {
                     log(LogLevel::warning,
                         "what people said cannot be read again: {}",
                         read.error().message);
                 }
                 failed_ = !read;
                 return period;
             }} {}

}  // namespace footfall::people
