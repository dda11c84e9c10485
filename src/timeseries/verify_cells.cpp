#include "series/block.h"
#include "series/cell.h"
#include "series/point.h"
#include "timeseries/cell_rows.h"
#include "timeseries/schema.h"
#include "timeseries/sealing.h"
#include "timeseries/verifying.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace footfall::timeseries {
namespace {

using series::Cell;
using std::chrono::days;
using std::chrono::hours;
using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr std::int64_t hour_micros = microseconds{hours{1}}.count();

hours written_hour(RowNumber number) {
    return std::chrono::floor<hours>(microseconds{number.written});
}

bool are_same(double one, double other) {
    return std::bit_cast<std::uint64_t>(one) == std::bit_cast<std::uint64_t>(other) ||
           (std::isnan(one) && std::isnan(other));
}

/// What of a cell is not what points give; empty: all of it is.
std::string difference_of(const Cell& stored, const Cell& made) {
    std::string text;
    const auto compare = [&](std::string_view what, auto is, auto should, bool same) {
        if (!same) {
            text += fmt::format(
                "{}{} {}, where points give {}", text.empty() ? "" : ", ", what, is, should
            );
        }
    };
    const auto figures = [&](std::string_view what, double is, double should) {
        compare(what, is, should, are_same(is, should));
    };
    figures("min", stored.min, made.min);
    figures("max", stored.max, made.max);
    figures("sum", stored.sum, made.sum);
    compare("count", stored.count, made.count, stored.count == made.count);
    figures("last", stored.last, made.last);
    return text;
}

/// The points that a series has in an hour.
struct HourOfPoints {
    std::vector<series::Point> points = {};
    RowNumber newest = {};
    bool is_sound = true;  ///< False: damaged, too many, or newer than what is looked at.
};

class CellCheck {
public:
    explicit CellCheck(Verifying& all) : all_{&all} {}

    Result<void> run() {
        TRY_VOID(each_row_of(
            all_->store(),
            {.table = &point_cells_table},
            [&](const storage::Rows& rows, std::size_t row) { return take(rows, row); }
        ));
        return compare();
    }

private:
    struct Partition {
        std::int64_t series = 0;
        std::int64_t period = 0;
        std::int64_t step = 0;

        friend bool operator==(const Partition&, const Partition&) = default;

        bool is_sound() const {
            return step > 0 && step <= seconds{hours{1}}.count() && 3600 % step == 0 &&
                   period % period_of(seconds{step}).count() == 0;
        }
    };

    Result<void> take(const storage::Rows& rows, std::size_t row) {
        const Partition at{
            .series = rows.at(row, 0).number(),
            .period = rows.at(row, 1).number(),
            .step = rows.at(row, 2).number()
        };
        if (at != at_) {
            TRY_VOID(compare());
            at_ = at;
        }
        const std::int64_t expires = rows.at(row, 7).number();
        if (expires <= all_->now()) {
            return {};
        }
        const std::int64_t hour = rows.at(row, 3).number();
        const std::int64_t told_hour = hour == several_hours ? micros(days{at.period}) : hour;
        const auto differ = [&](std::string_view what) {
            all_->differ(at.series, told_hour, what);
        };
        if (!at.is_sound() || !is_in_period(told_hour)) {
            differ(fmt::format(
                "cells of {} s stand in the period of day {}, where nobody looks for them",
                at.step,
                at.period
            ));
            return {};
        }
        if (!all_->is_named(at.series) && all_->is_told(expires)) {
            differ("cells of a series without a name");
        }
        cells_.clear();
        if (const auto decoded = series::decode_cells(rows.at(row, 6).text(), cells_); !decoded) {
            differ(decoded.error().message);
            is_sound_ = false;
            return {};
        }
        if (!are_in_period()) {
            is_sound_ = false;
            return {};
        }
        const RowNumber number{
            .written = rows.at(row, 4).number(), .writer = rows.at(row, 5).number()
        };
        first_written_ = std::min(first_written_.value_or(number), number);
        return {};
    }

    bool is_in_period(std::int64_t hour) const {
        return hour % hour_micros == 0 && hour >= micros(days{at_.period}) &&
               hour < micros(days{at_.period} + period_of(seconds{at_.step}));
    }

    /// How long cells of this step are kept now; absent: the series has no such (any more).
    std::optional<seconds> kept() const {
        const auto resolutions = all_->resolutions(at_.series);
        for (const series::Resolution& each : resolutions) {
            if (&each != &resolutions.front() && each.step.count() == at_.step) {
                return each.kept;
            }
        }
        return std::nullopt;
    }

    /// All rows of a partition were seen. Its cells are read as whoever draws them does, at once:
    /// of a scan they may be packed while it goes on.
    Result<void> compare() {
        const auto first_written = std::exchange(first_written_, std::nullopt);
        const bool is_sound = std::exchange(is_sound_, true);
        const auto cells_kept = kept();
        if (!first_written || !is_sound || !cells_kept) {
            return {};
        }
        kept_ = *cells_kept;
        const seconds step{at_.step};
        const auto millis = [](milliseconds span) { return span.count(); };
        TRY(const std::vector<Cell> cells,
            read_cell_rows(
                all_->store(),
                at_.series,
                step,
                millis(days{at_.period}),
                millis(days{at_.period} + period_of(step)),
                all_->now()
            ));
        const days begins{at_.period};
        for (days day = begins; day < begins + period_of(seconds{at_.step}); day += days{1}) {
            TRY_VOID(compare_day(day, cells, written_hour(*first_written)));
        }
        return {};
    }

    bool are_in_period() {
        const std::int64_t step = milliseconds{seconds{at_.step}}.count();
        for (const Cell& each : cells_) {
            if (each.time % step != 0 || each.count == 0 ||
                !is_in_period(each.time / milliseconds{hours{1}}.count() * hour_micros)) {
                all_->differ(
                    at_.series,
                    micros(days{at_.period}),
                    fmt::format("a cell of {} s of {} ms is none", at_.step, each.time)
                );
                return false;
            }
        }
        return true;
    }

    Result<std::map<std::int64_t, HourOfPoints>> read_day(days day) const {
        std::map<std::int64_t, HourOfPoints> found;
        storage::RangeQuery query{
            .table = &point_block_table,
            .partition = {at_.series, std::int64_t{day.count()}, as_they_came}
        };
        do {
            TRY(const storage::Page page, storage::read_page(all_->store(), query));
            for (std::size_t row = 0; row < page.rows.size(); ++row) {
                if (page.rows.at(row, 7).number() <= all_->now()) {
                    continue;
                }
                HourOfPoints& hour = found[page.rows.at(row, 3).number()];
                hour.newest = {
                    .written = page.rows.at(row, 4).number(),
                    .writer = page.rows.at(row, 5).number()
                };
                hour.is_sound = hour.is_sound && hour.points.size() <= rolled_points_max &&
                                hour.newest.written < all_->now() &&
                                series::decode(page.rows.at(row, 6).text(), hour.points);
            }
            query.continuation = page.continuation;
        } while (!query.continuation.empty());
        return found;
    }

    Result<void> compare_day(days day, const std::vector<Cell>& cells, hours first_written) {
        TRY(auto by_hour, read_day(day));
        for (std::int64_t hour = micros(day); hour < micros(day + days{1}); hour += hour_micros) {
            const std::int64_t begins = hour / micros(milliseconds{1});
            const auto first = std::ranges::lower_bound(cells, begins, {}, &Cell::time);
            const auto end = std::ranges::lower_bound(
                first, cells.end(), begins + milliseconds{hours{1}}.count(), {}, &Cell::time
            );
            const std::span<const Cell> stored{first, end};
            if (all_->is_to_be_sealed(at_.series, hour)) {
                continue;
            }
            const auto points = by_hour.find(hour);
            if (points == by_hour.end()) {
                check_kept(hour, stored);
            } else if (points->second.is_sound) {
                series::settle(points->second.points);
                compare_hour(hour, stored, points->second, first_written);
            }
        }
        return {};
    }

    /// Points go by age: with those of an hour before, these are there, too. Where they were kept
    /// for shorter once, it is not known when these went.
    void check_kept(std::int64_t hour, std::span<const Cell> stored) {
        const auto oldest = all_->oldest_hour(at_.series);
        const seconds points_kept = all_->resolutions(at_.series).front().kept;
        if (!stored.empty() && oldest && hour > *oldest &&
            hour + micros(points_kept) > all_->now()) {
            all_->differ(
                at_.series,
                hour,
                fmt::format(
                    "there are cells of {} s, and no points, which older hours have", at_.step
                )
            );
        }
    }

    void compare_hour(
        std::int64_t hour,
        std::span<const Cell> stored,
        const HourOfPoints& points,
        hours first_written
    ) {
        const auto made = series::cells_of(points.points, milliseconds{seconds{at_.step}}.count());
        const auto differ = [&](const std::string& what) { all_->differ(at_.series, hour, what); };
        if (stored.empty() && !made.empty()) {
            // Before others were made there may have been no rule; and they expire by themselves.
            const bool is_kept = hour + hour_micros + micros(kept_) > all_->now();
            if (is_kept && first_written < written_hour(points.newest)) {
                differ(fmt::format("there are points, and no cells of {} s", at_.step));
            }
            return;
        }
        if (stored.size() != made.size()) {
            differ(fmt::format(
                "there are {} cells of {} s, where points give {}",
                stored.size(),
                at_.step,
                made.size()
            ));
            return;
        }
        for (std::size_t at = 0; at < made.size(); ++at) {
            const std::string difference =
                stored[at].time == made[at].time
                    ? difference_of(stored[at], made[at])
                    : fmt::format("stands where points give one of {} ms", made[at].time);
            if (!difference.empty()) {
                differ(fmt::format(
                    "the cell of {} s of {} ms: {}", at_.step, stored[at].time, difference
                ));
            }
        }
    }

    Verifying* all_;
    Partition at_;
    std::vector<Cell> cells_;                 ///< Of the row.
    std::optional<RowNumber> first_written_;  ///< Absent: there are no rows.
    bool is_sound_ = true;
    seconds kept_{};  ///< As kept() says.
};

}  // namespace

Result<void> verify_cells(Verifying& verifying) {
    return CellCheck{verifying}.run();
}

}  // namespace footfall::timeseries
