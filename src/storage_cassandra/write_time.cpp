#include "storage_cassandra/write_time.h"

#include <algorithm>

namespace footfall::storage_cassandra {

std::optional<std::int64_t> WriteTime::next(Instant now) {
    if (last_ >= reserved_) {
        return std::nullopt;
    }
    // Behind what is reserved it counts on from where it was: to jump to the end would leave
    // nothing for those who come before more is reserved.
    const std::int64_t clock = now.time_since_epoch().count();
    last_ = clock <= reserved_ ? std::max(last_ + 1, clock) : last_ + 1;
    return last_;
}

void WriteTime::begin_behind(std::int64_t others) {
    last_ = std::max(last_, others);
}

std::int64_t WriteTime::behind(std::int64_t others, Instant now) {
    return std::max(now.time_since_epoch().count() + window, others + step);
}

std::optional<std::int64_t> WriteTime::wanted(Instant now) const {
    const std::int64_t clock = now.time_since_epoch().count();
    const bool enough = clock + window / 2 <= reserved_ && last_ + step / 2 <= reserved_;
    return enough ? std::nullopt : std::optional{behind(last_, now)};
}

void WriteTime::reserved(std::int64_t through) {
    reserved_ = std::max(reserved_, through);
}

}  // namespace footfall::storage_cassandra
