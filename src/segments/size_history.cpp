#include "segments/size_history.h"

#include "segments/schema.h"
#include "storage/batch.h"
#include "storage/blocking.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

namespace footfall::segments {
namespace {

using std::chrono::floor;
using std::chrono::microseconds;

constexpr std::string_view by_minute = "minute";
constexpr std::string_view by_hour = "hour";
constexpr std::chrono::minutes minute{1};
constexpr std::chrono::hours hour{1};
constexpr std::chrono::hours minutes_asked_max{25};
constexpr std::chrono::days minutes_kept{2};
/// Something is written every day, and what was written last holds: so far back it is.
constexpr std::chrono::hours silence_max{25};
constexpr std::size_t segments_at_once = 1000;

std::int64_t of_instant(Instant instant) {
    return floor<microseconds>(instant.time_since_epoch()).count();
}

void put_size(
    storage::Batch& batch,
    std::int64_t segment,
    std::string_view step,
    const SizeThen& size,
    Instant expires
) {
    batch.upsert(
        segment_size_table,
        {segment,
         step,
         of_instant(size.at),
         static_cast<std::int64_t>(size.people),
         of_instant(expires)}
    );
}

}  // namespace

Result<void> SizeHistory::keep() {
    const Instant now = clock_->now();
    if (now >= kept_at_ && now - kept_at_ < minute) {
        return {};
    }
    TRY_VOID(keep_all(now));
    kept_at_ = now;
    return {};
}

Result<void> SizeHistory::keep_all(Instant now) {
    const std::int64_t day = floor<std::chrono::days>(now.time_since_epoch()).count();
    std::unordered_map<std::int64_t, Kept> kept;
    std::string cursor;
    do {
        TRY(const Listed<Segment> page, segments_->list("", cursor, segments_at_once));
        std::vector<std::int64_t> numbers;
        numbers.reserve(page.rows.size());
        for (const Segment& each : page.rows) {
            numbers.push_back(each.number);
        }
        std::vector<std::uint64_t> sizes;
        bool are_exact = true;
        const auto look = [&](std::span<const sets::NumberSet* const> people,
                              std::uint32_t one_of) {
            are_exact = one_of == 1;
            for (const sets::NumberSet* each : people) {
                sizes.push_back(each->size());
            }
        };
        TRY(const Instant as_of, segments_->look_at(numbers, look));
        static_cast<void>(as_of);
        if (!are_exact) {
            return {};  // An estimate that moves by chance would look like people who come and go.
        }
        storage::Batch batch;
        for (std::size_t at = 0; at < numbers.size(); ++at) {
            const Kept fresh{.people = sizes[at], .day = day};
            const auto known = kept_.find(numbers[at]);
            kept.emplace(numbers[at], fresh);
            if (known != kept_.end() && known->second.people == fresh.people &&
                known->second.day == day) {
                continue;
            }
            const Instant this_minute{floor<std::chrono::minutes>(now.time_since_epoch())};
            const Instant this_hour{floor<std::chrono::hours>(now.time_since_epoch())};
            put_size(
                batch, numbers[at], by_minute, {this_minute, fresh.people}, now + minutes_kept
            );
            put_size(batch, numbers[at], by_hour, {this_hour, fresh.people}, now + longest);
        }
        if (!batch.empty()) {
            TRY_VOID(storage::write_durably(*store_, batch));
        }
        cursor = page.cursor;
    } while (!cursor.empty());
    kept_ = std::move(kept);
    return {};
}

Result<Sizes> SizeHistory::read(std::string_view name, Instant from, Instant to) const {
    TRY(const auto segment, segments_->find(name));
    if (!segment) {
        return fail(ErrorKind::not_found, fmt::format("there is no segment {}", name));
    }
    const bool has_minutes = to - from <= minutes_asked_max && clock_->now() - from <= minutes_kept;
    Sizes sizes{.step = has_minutes ? std::chrono::seconds{minute} : hour, .rows = {}};
    const auto take = [&](std::string_view step, Instant first, Instant last) -> Result<void> {
        TRY(const storage::Rows rows,
            storage::read_all(
                *store_,
                {.table = &segment_size_table,
                 .partition = {segment->number, std::string{step}},
                 .from = {of_instant(first)},
                 .through = {of_instant(last)}}
            ));
        for (std::size_t row = 0; row < rows.size(); ++row) {
            sizes.rows.push_back(
                {.at = Instant{microseconds{rows.at(row, 2).number()}},
                 .people = static_cast<std::uint64_t>(rows.at(row, 3).number())}
            );
        }
        return {};
    };
    // An hour that has begun may be of later than `from`, so the one before it is asked.
    const Instant whole_hour{floor<std::chrono::hours>(from.time_since_epoch())};
    TRY_VOID(take(by_hour, whole_hour - silence_max, whole_hour - hour));
    if (sizes.rows.size() > 1) {
        sizes.rows.erase(sizes.rows.begin(), sizes.rows.end() - 1);
    }
    if (has_minutes) {
        TRY_VOID(take(by_minute, whole_hour, to));
    } else {
        TRY_VOID(take(by_hour, whole_hour, to));
    }
    return sizes;
}

}  // namespace footfall::segments
