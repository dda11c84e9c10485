#include "timeseries/time_series.h"

#include "foundation/check.h"
#include "series/block.h"
#include "series/name.h"
#include "storage/batch.h"
#include "storage/blocking.h"
#include "timeseries/schema.h"
#include "timeseries/sealing.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <mutex>
#include <optional>
#include <utility>

namespace footfall::timeseries {
namespace {

using std::chrono::days;
using std::chrono::hours;
using std::chrono::microseconds;
using std::chrono::milliseconds;

/// A series is kept a while longer than its last points or cells.
constexpr days series_kept_longer{2};
/// Rows of points stay until cells are made of late ones, too: these are of the whole hour.
constexpr days points_kept_longer{1};

/// What Placed has room for.
constexpr std::size_t points_placed_max = (std::size_t{1} << 31) - 1;

template <class Unit>
Unit floor_of(std::int64_t time) {
    return std::chrono::floor<Unit>(milliseconds{time});
}

std::int32_t day_of(Instant now) {
    return static_cast<std::int32_t>(std::chrono::floor<days>(now).time_since_epoch().count());
}

std::int32_t hour_of(Instant now) {
    return static_cast<std::int32_t>(std::chrono::floor<hours>(now).time_since_epoch().count());
}

}  // namespace

/// A point that is to be stored: whose, in which hour, and which of the points.
/// They are brought into the order of all of it, so it is small.
struct TimeSeries::Placed {
    SeriesId id;
    std::int32_t hour;
    std::uint32_t at : 31;
    std::uint32_t noted : 1;  ///< That the hour is to be sealed is known from a point before.

    friend bool operator<(const Placed& one, const Placed& other) {
        return one.id != other.id ? one.id < other.id : one.rest() < other.rest();
    }

private:
    std::uint64_t rest() const {
        return std::uint64_t{static_cast<std::uint32_t>(hour)} << 32 | at;
    }
};

/// A series that was written to the catalogue, or again, and what was there before.
struct TimeSeries::New {
    SeriesId id;
    std::string_view name;
    std::optional<std::int32_t> seen;
    std::int32_t noted = 0;
};

std::string_view name_of(Refusal refusal) {
    static constexpr std::array<std::string_view, refusals> names{
        "old", "early", "no_room", "same_hash"
    };
    return names[static_cast<std::size_t>(refusal)];
}

TimeSeries::TimeSeries(storage::Store& store, const Clock& clock, TimeSeriesOptions options)
    : store_{&store},
      clock_{&clock},
      options_{std::move(options)},
      catalogue_{options_.secret},
      lost_writes_{store.on_lost_writes([this] { lose_writes(); })} {}

Result<void> TimeSeries::load() {
    storage::ScanQuery query{.table = &series_table};
    const std::int64_t now = clock_->now().time_since_epoch().count();
    do {
        TRY(const storage::Page page, storage::scan_page(*store_, query));
        const std::unique_lock lock{mutex_};
        for (std::size_t row = 0; row < page.rows.size(); ++row) {
            const std::int64_t expires = page.rows.at(row, 3).number();
            if (expires <= now) {
                continue;
            }
            std::string name{page.rows.at(row, 0).text()};
            if (const std::string_view tags = page.rows.at(row, 1).text(); !tags.empty()) {
                name.append(";").append(tags);
            }
            const auto id = static_cast<SeriesId>(page.rows.at(row, 2).number());
            const auto kept = options_.retention.of(name).back().kept + series_kept_longer;
            const std::int32_t seen = day_of(Instant{microseconds{expires} - kept});
            const Catalogue::Standing standing = catalogue_.standing(id, name);
            if (standing == Catalogue::Standing::unknown ||
                (standing == Catalogue::Standing::known && catalogue_.seen(id) < seen)) {
                catalogue_.see(id, name, seen);
            }
        }
        query.continuation = page.continuation;
    } while (!query.continuation.empty());
    return {};
}

Result<Taken> TimeSeries::write(std::span<const NamedPoint> points) {
    std::vector<PointOf> views;
    views.reserve(points.size());
    for (const NamedPoint& each : points) {
        views.push_back({.name = each.name, .point = each.point});
    }
    return write(views, Whole::no);
}

Result<Taken> TimeSeries::write(std::span<const PointOf> points, Whole whole) {
    Taken taken;
    storage::Batch batch;
    std::vector<New> added;
    const std::int64_t writing = next_writing();
    std::vector<Placed> placed = place(points, writing, whole, batch, added, taken);
    if (whole == Whole::yes && taken.points < points.size()) {
        count_refused(taken);
        taken.points = 0;
        return taken;
    }
    add_blocks(points, std::move(placed), writing, batch);
    auto position = store_->submit(batch);
    if (!position || !added.empty()) {
        const std::unique_lock lock{mutex_};
        if (!position) {
            take_back(added);
        } else {
            for (const New& each : added) {
                fresh_.emplace_back(*position, each.id);
            }
        }
        while (!fresh_.empty() && store_->durable(fresh_.front().first)) {
            fresh_.pop_front();
        }
    }
    if (!position) {
        return std::unexpected(std::move(position).error());
    }
    taken.position = *position;
    count_refused(taken);
    return taken;
}

void TimeSeries::count_refused(const Taken& taken) {
    for (std::size_t why = 0; why < refusals; ++why) {
        refused_[why].fetch_add(taken.refused[why], std::memory_order_relaxed);
    }
}

/// What was added is as if it never had been. Under the mutex.
void TimeSeries::take_back(std::span<const New> added) {
    for (const New& each : added) {
        if (each.seen) {
            catalogue_.see(each.id, each.name, *each.seen);
            catalogue_.note(each.id, each.noted);
        } else {
            catalogue_.remove(each.id);
        }
    }
}

std::vector<TimeSeries::Placed> TimeSeries::place(
    std::span<const PointOf> points,
    std::int64_t writing,
    Whole whole,
    storage::Batch& batch,
    std::vector<New>& added,
    Taken& taken
) {
    // The rows have this number: by its hour it is noted that they are to be sealed.
    const Instant now{microseconds{writing}};
    const std::int32_t this_hour = hour_of(now);
    const auto now_ms = std::chrono::floor<milliseconds>(now.time_since_epoch());
    const auto is_before = [now_ms](std::int64_t time, std::chrono::seconds kept) {
        return time < (now_ms - kept).count();
    };
    const auto is_old = [&](const PointOf& point) {
        const Retention& retention = options_.retention;
        return is_before(point.point.time, retention.points_shortest()) &&
               (is_before(point.point.time, retention.points_longest()) ||
                is_before(point.point.time, retention.of(point.name).front().kept));
    };
    const std::int64_t newest = (now_ms + TimeSeries::ahead_max).count();
    CHECK(points.size() <= points_placed_max, "points that are written at once", points.size());
    std::vector<Placed> placed;
    placed.reserve(points.size());
    std::vector<Placed> unknown;
    const auto refuse = [&taken](Refusal why) { ++taken.refused[static_cast<std::size_t>(why)]; };
    {
        const std::shared_lock lock{mutex_};
        for (std::size_t at = 0; at < points.size(); ++at) {
            const std::int64_t time = points[at].point.time;
            if (time > newest) {
                refuse(Refusal::early);
                continue;
            }
            if (is_old(points[at])) {
                refuse(Refusal::old);
                continue;
            }
            const SeriesId id = catalogue_.id_of(points[at].name);
            const auto hour = static_cast<std::int32_t>(floor_of<hours>(time).count());
            const Placed place{
                .id = id,
                .hour = hour,
                .at = static_cast<std::uint32_t>(at),
                .noted = hour == this_hour
            };
            const Catalogue::Known known = catalogue_.look_up(id, points[at].name);
            if (known.standing == Catalogue::Standing::other) {
                refuse(Refusal::same_hash);
            } else if (known.standing == Catalogue::Standing::unknown ||
                       known.seen < this_hour / 24 ||
                       (place.noted != 0 && known.noted != this_hour)) {
                unknown.push_back(place);
            } else {
                placed.push_back(place);
            }
        }
    }
    if (!unknown.empty()) {
        const std::unique_lock lock{mutex_};
        for (Placed& each : unknown) {
            if (see(points[each.at], each, this_hour, batch, added, taken)) {
                placed.push_back(each);
            }
        }
        if (whole == Whole::yes && placed.size() < points.size()) {
            // Before anybody else finds them, and leaves their rows to us.
            take_back(std::exchange(added, {}));
        }
    }
    taken.points = placed.size();
    return placed;
}

/// The series has points today, and in this hour. False: it is refused.
bool TimeSeries::see(
    const PointOf& point,
    Placed& placed,
    std::int32_t this_hour,
    storage::Batch& batch,
    std::vector<New>& added,
    Taken& taken
) {
    const auto refuse = [&taken](Refusal why) {
        ++taken.refused[static_cast<std::size_t>(why)];
        return false;
    };
    const std::int32_t today = this_hour / 24;
    const Catalogue::Known before = catalogue_.look_up(placed.id, point.name);
    if (before.standing == Catalogue::Standing::other) {
        return refuse(Refusal::same_hash);
    }
    const bool known = before.standing == Catalogue::Standing::known;
    const bool is_seen = known && before.seen >= today;
    const bool is_noted = placed.noted == 0 || (known && before.noted == this_hour);
    if (is_seen && is_noted) {
        return true;  // By a point before, or another thread.
    }
    if (!known && !has_room(point.name)) {
        if (options_.memory != nullptr) {
            options_.memory->note_short();
        }
        return refuse(Refusal::no_room);
    }
    added.push_back(
        {.id = placed.id,
         .name = point.name,
         .seen = known ? std::optional{before.seen} : std::nullopt,
         .noted = before.noted}
    );
    if (!is_seen) {
        catalogue_.see(placed.id, point.name, today);
        const series::SplitName split = series::split_name(point.name);
        const microseconds expires =
            days{today} + options_.retention.of(point.name).back().kept + series_kept_longer;
        batch.upsert(
            series_table,
            {split.name, split.tags, static_cast<std::int64_t>(placed.id), micros(expires)}
        );
    }
    if (!is_noted) {
        catalogue_.note(placed.id, this_hour);
        placed.noted = 0;
    }
    return true;
}

/// A row for each series and hour. Points that came later are behind, so they stand.
void TimeSeries::add_blocks(
    std::span<const PointOf> points,
    std::vector<Placed> placed,
    std::int64_t writing,
    storage::Batch& batch
) {
    std::ranges::sort(placed, std::less{});
    std::vector<series::Point> block;
    bool noted = true;
    for (std::size_t at = 0; at < placed.size(); ++at) {
        block.push_back(points[placed[at].at].point);
        noted = noted && placed[at].noted != 0;
        if (at + 1 < placed.size() && placed[at + 1].id == placed[at].id &&
            placed[at + 1].hour == placed[at].hour) {
            continue;
        }
        series::settle(block);
        const hours hour{placed[at].hour};
        batch.upsert(
            point_block_table,
            {static_cast<std::int64_t>(placed[at].id),
             std::chrono::floor<days>(hour).count(),
             as_they_came,
             micros(hour),
             writing,
             options_.writer,
             series::encode(block),
             micros(
                 hour + hours{1} + points_kept_longer +
                 options_.retention.of(points[placed[at].at].name).front().kept
             )}
        );
        if (!std::exchange(noted, true)) {
            note_unsealed(batch, placed[at].id, hour, Instant{microseconds{writing}});
        }
        block.clear();
    }
}

/// The time, but later than all that this process has written: its rows are in this order, and no
/// two of them are one.
std::int64_t TimeSeries::next_writing() {
    const std::int64_t now = clock_->now().time_since_epoch().count();
    std::int64_t last = last_writing_.load(std::memory_order_relaxed);
    std::int64_t next = 0;
    do {
        next = std::max(now, last + 1);
    } while (!last_writing_.compare_exchange_weak(last, next, std::memory_order_relaxed));
    return next;
}

void TimeSeries::forget_expired() {
    const std::int32_t today = day_of(clock_->now());
    const auto first_kept = [today](std::chrono::seconds kept) {
        const auto ended = std::chrono::ceil<days>(kept) + series_kept_longer;
        return today - static_cast<std::int32_t>(ended.count());
    };
    const std::unique_lock lock{mutex_};
    catalogue_.remove_older(first_kept(options_.retention.shortest()), [&](std::string_view name) {
        return first_kept(options_.retention.of(name).back().kept);
    });
}

bool TimeSeries::has_room(std::string_view name) const {
    return catalogue_.size() < options_.series_max &&
           (options_.memory == nullptr ||
            catalogue_.bytes() + Catalogue::bytes_of(name) <= options_.memory->bytes());
}

std::string TimeSeries::no_room() const {
    const std::shared_lock lock{mutex_};
    if (catalogue_.size() >= options_.series_max) {
        return fmt::format(
            "there are {} series, and metrics_series allows no more", catalogue_.size()
        );
    }
    return fmt::format(
        "the names of {} series take {} KiB, and of the memory there are no more for them now: "
        "more memory allows more",
        catalogue_.size(),
        catalogue_.bytes() >> 10
    );
}

std::size_t TimeSeries::series() const {
    const std::shared_lock lock{mutex_};
    return catalogue_.size();
}

std::size_t TimeSeries::bytes() const {
    const std::shared_lock lock{mutex_};
    return catalogue_.bytes();
}

/// All of it lies in the first lane: names are not parted.
runtime::AccountAudit TimeSeries::audit(std::size_t lane) const {
    if (lane != 0) {
        return {};
    }
    const std::shared_lock lock{mutex_};
    return {.booked = catalogue_.bytes(), .counted = catalogue_.recount()};
}

/// Rows of series that were not durable are gone: whoever sends points of them writes them again.
void TimeSeries::lose_writes() {
    const std::unique_lock lock{mutex_};
    for (const auto& [position, id] : fresh_) {
        if (!store_->durable(position)) {
            catalogue_.remove(id);
        }
    }
    fresh_.clear();
}

}  // namespace footfall::timeseries
