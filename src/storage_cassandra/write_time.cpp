#include "storage_cassandra/write_time.h"

#include <algorithm>

namespace footfall::storage_cassandra {
namespace {

std::int64_t microseconds_of(Instant now) {
    return now.time_since_epoch().count();
}

}  // namespace

WriteTime::WriteTime(std::int64_t reserved, Instant now)
    : last_{.owned = reserved, .shared = reserved}, reserved_{reserved} {
    if (reserved - microseconds_of(now) <= gone_back) {
        last_.shared = std::min(reserved, microseconds_of(now) - 1);
    }
}

std::optional<WriteTime::Stamps> WriteTime::next(Instant now) {
    if (last_.owned >= reserved_) {
        return std::nullopt;
    }
    // Behind what is reserved it counts on from where it was: to jump to the end would leave
    // nothing for those who come before more is reserved.
    const std::int64_t clock = microseconds_of(now) <= reserved_ ? microseconds_of(now) : 0;
    last_ = {
        .owned = std::max(last_.owned + 1, clock), .shared = std::max(last_.shared + 1, clock)
    };
    return last_;
}

void WriteTime::begin_behind(std::int64_t others) {
    last_.owned = std::max(last_.owned, others);
}

std::int64_t WriteTime::behind(std::int64_t others, Instant now) {
    return std::max(microseconds_of(now) + window, others + step);
}

std::optional<std::int64_t> WriteTime::wanted(Instant now) const {
    const std::int64_t clock = microseconds_of(now);
    const bool enough = clock + window / 2 <= reserved_ && last_.owned + step / 2 <= reserved_;
    return enough ? std::nullopt : std::optional{behind(last_.owned, now)};
}

void WriteTime::reserved(std::int64_t through) {
    reserved_ = std::max(reserved_, through);
}

}  // namespace footfall::storage_cassandra
