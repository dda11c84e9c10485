#include "timeseries/sealing.h"

#include "series/block.h"
#include "series/point.h"
#include "storage/blocking.h"
#include "timeseries/schema.h"

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace footfall::timeseries {
namespace {

using std::chrono::days;
using std::chrono::hours;
using std::chrono::microseconds;

constexpr std::int64_t parts = 16;
/// Clocks of those who write differ, and writing takes a while.
constexpr std::chrono::minutes settled_after{10};
constexpr std::size_t hours_at_once = 256;
constexpr std::size_t batch_bytes = 1 << 20;
constexpr double busy_pressure = 0.5;

}  // namespace

/// An hour of a series that is to be sealed.
struct Sealing::Hour {
    std::int64_t series;
    std::int64_t hour;  ///< Microseconds since 1970.
};

namespace {

/// Puts rows of an hour together, which come in their order, as many as make a block.
class Merging {
public:
    Merging(std::int64_t series, std::int64_t hour, storage::Batch& batch)
        : series_{series}, hour_{hour}, batch_{&batch} {}

    void add(RowNumber number, std::span<const series::Point> points, std::int64_t expires) {
        points_.insert(points_.end(), points.begin(), points.end());
        numbers_.push_back(number);
        expires_ = std::max(expires_, expires);
        if (points_.size() >= block_points_max) {
            finish();
        }
    }

    /// One block in place of the rows, under the number of the last of them. A row alone stays.
    void finish() {
        if (numbers_.size() > 1) {
            series::settle(points_);
            const RowNumber last = numbers_.back();
            numbers_.pop_back();
            const auto day = std::chrono::floor<days>(microseconds{hour_}).count();
            batch_->upsert(
                point_block_table,
                {series_,
                 day,
                 as_they_came,
                 hour_,
                 last.written,
                 last.writer,
                 series::encode(points_),
                 expires_}
            );
            for (const RowNumber& each : numbers_) {
                batch_->erase(
                    point_block_table,
                    {series_, day, as_they_came, hour_, each.written, each.writer}
                );
            }
        }
        numbers_.clear();
        points_.clear();
        expires_ = 0;
    }

private:
    const std::int64_t series_;
    const std::int64_t hour_;
    storage::Batch* const batch_;
    std::vector<RowNumber> numbers_;
    std::vector<series::Point> points_;
    std::int64_t expires_ = 0;
};

}  // namespace

void note_unsealed(storage::Batch& batch, SeriesId series, hours hour, Instant now) {
    const auto written = std::chrono::floor<hours>(now.time_since_epoch());
    batch.upsert(
        unsealed_hour_table,
        {micros(written),
         static_cast<std::int64_t>(series % parts),
         static_cast<std::int64_t>(series),
         micros(hour),
         micros(written + noted_for)}
    );
}

Result<void> Sealing::seal(const std::stop_token& stop) {
    const auto over = std::chrono::floor<hours>((clock_->now() - settled_after).time_since_epoch());
    next_ = std::max<hours>(next_, over - noted_for);
    Result<void> done;
    for (; next_ < over; next_ += hours{1}) {
        for (std::int64_t part = 0; part < parts; ++part) {
            const auto whole = seal_part(next_, part, stop);
            if (!whole && whole.error().kind != ErrorKind::corrupt) {
                return std::unexpected(whole.error());
            }
            if (!whole) {
                done = std::unexpected(whole.error());
            } else if (!*whole) {
                return done;
            }
        }
    }
    return done;
}

/// False: it ended early.
Result<bool> Sealing::seal_part(hours written, std::int64_t part, const std::stop_token& stop) {
    storage::RangeQuery query{
        .table = &unsealed_hour_table,
        .partition = {micros(written), part},
        .max_rows = hours_at_once
    };
    Result<bool> done{true};
    do {
        if (stop.stop_requested() || store_->pressure() > busy_pressure) {
            return false;
        }
        TRY(const storage::Page page, storage::read_page(*store_, query));
        std::vector<Hour> hours;
        hours.reserve(page.rows.size());
        for (std::size_t row = 0; row < page.rows.size(); ++row) {
            hours.push_back(
                {.series = page.rows.at(row, 2).number(), .hour = page.rows.at(row, 3).number()}
            );
        }
        // What was written in the hour is there by now, and what came later has a number behind it.
        const auto sealed = seal_hours(hours, micros(written + std::chrono::hours{1}));
        if (!sealed && sealed.error().kind != ErrorKind::corrupt) {
            return std::unexpected(sealed.error());
        }
        if (!sealed) {
            done = std::unexpected(sealed.error());
        }
        storage::Batch noted;
        for (const Hour& each : hours) {
            noted.erase(unsealed_hour_table, {micros(written), part, each.series, each.hour});
        }
        TRY_VOID(storage::write_durably(*store_, noted));
        query.continuation = page.continuation;
    } while (!query.continuation.empty());
    return done;
}

/// Of what was written before. A damaged row stays as it is, with those behind it, and is told once
/// the other hours are done.
Result<void> Sealing::seal_hours(const std::vector<Hour>& hours, std::int64_t written_before) {
    storage::Batch batch;
    Result<void> done;
    for (const Hour& each : hours) {
        if (const auto merged = merge_hour(each, written_before, batch); merged) {
            sealed_.fetch_add(1, std::memory_order_relaxed);
        } else if (merged.error().kind == ErrorKind::corrupt) {
            done = std::unexpected(with_context(merged.error(), "an hour stays as it is"));
        } else {
            return merged;
        }
        if (batch.bytes() > batch_bytes) {
            TRY_VOID(storage::write_durably(*store_, batch));
            batch.clear();
        }
    }
    TRY_VOID(storage::write_durably(*store_, batch));
    return done;
}

/// Adds to `batch` what makes fewer rows of the hour; at any row it may end. Cells are of all
/// points that are there, also of those that are too new to be put together.
Result<void> Sealing::merge_hour(
    const Hour& hour, std::int64_t written_before, storage::Batch& batch
) {
    const std::int64_t day = std::chrono::floor<days>(microseconds{hour.hour}).count();
    const std::int64_t now = clock_->now().time_since_epoch().count();
    storage::RangeQuery query{
        .table = &point_block_table,
        .partition = {hour.series, day, as_they_came},
        .from = {hour.hour},
        .through = {hour.hour}
    };
    Merging merging{hour.series, hour.hour, batch};
    WholeHour whole{.series = hour.series, .hour = hour.hour};
    std::vector<series::Point> points;
    do {
        TRY(const storage::Page page, storage::read_page(*store_, query));
        for (std::size_t row = 0; row < page.rows.size(); ++row) {
            const RowNumber number{
                .written = page.rows.at(row, 4).number(), .writer = page.rows.at(row, 5).number()
            };
            const std::int64_t expires = page.rows.at(row, 7).number();
            points.clear();
            TRY_VOID(series::decode(page.rows.at(row, 6).text(), points));
            if (number.written < written_before) {
                merging.add(number, points, expires);
            }
            if (expires > now) {
                whole.points.insert(whole.points.end(), points.begin(), points.end());
                whole.newest = number;
            }
        }
        query.continuation = page.continuation;
    } while (!query.continuation.empty() && whole.points.size() <= rolled_points_max);
    merging.finish();
    return roll_hour(std::move(whole), written_before, batch);
}

Result<void> Sealing::roll_hour(
    WholeHour whole, std::int64_t written_before, storage::Batch& batch
) {
    const auto resolutions = resolutions_(static_cast<SeriesId>(whole.series));
    if (resolutions.size() < 2 || whole.newest == RowNumber{}) {
        return {};
    }
    if (whole.points.size() > rolled_points_max) {
        return fail(ErrorKind::corrupt, "an hour of a series has too many points for cells");
    }
    return rolling_.roll(
        std::move(whole),
        resolutions,
        written_before - micros(hours{1}),
        clock_->now().time_since_epoch().count(),
        batch
    );
}

}  // namespace footfall::timeseries
