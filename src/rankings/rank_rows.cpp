#include "rankings/rank_rows.h"

#include "rankings/schema.h"
#include "rankings/size_class.h"

#include <chrono>
#include <string>

namespace footfall::rankings {
namespace {

/// The longest window touches 31 days; one more for clocks that differ.
constexpr std::int64_t kept_days = 32;

Instant expiry_of(std::int64_t day) {
    return Instant{std::chrono::days{day + kept_days}};
}

}  // namespace

bool is_ranked(std::int64_t day, Instant now) {
    return expiry_of(day) > now;
}

void append_rank_rows(
    const RankedBy& by,
    const RankedObject& object,
    std::uint64_t before,
    std::uint64_t after,
    storage::Batch& batch
) {
    const Instant expires = expiry_of(object.day);
    for (int each = size_class_of(before) + 1; each <= size_class_of(after); ++each) {
        batch.upsert(
            rank_day_table,
            {by.job,
             by.action,
             by.sort,
             object.day,
             std::int64_t{each},
             static_cast<std::int64_t>(object.lane),
             object.object,
             std::int64_t{expires.time_since_epoch().count()}}
        );
    }
}

void append_rank_keys(
    const RankedBy& by,
    const RankedObject& object,
    std::uint64_t number,
    std::vector<std::vector<storage::Value>>& keys
) {
    for (int each = 0; each <= size_class_of(number); ++each) {
        keys.push_back(
            {std::string{by.job},
             std::string{by.action},
             std::string{by.sort},
             object.day,
             std::int64_t{each},
             static_cast<std::int64_t>(object.lane),
             std::string{object.object}}
        );
    }
}

}  // namespace footfall::rankings
