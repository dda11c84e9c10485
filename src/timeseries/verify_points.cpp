#include "series/block.h"
#include "series/point.h"
#include "timeseries/cell_rows.h"
#include "timeseries/schema.h"
#include "timeseries/sealing.h"
#include "timeseries/verifying.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>
#include <vector>

namespace footfall::timeseries {
namespace {

using std::chrono::days;
using std::chrono::hours;
using std::chrono::microseconds;
using std::chrono::milliseconds;

/// Where a row of points stands, but for its number.
struct Place {
    std::int64_t series = 0;
    std::int64_t day = 0;
    std::int64_t resolution = 0;
    std::int64_t hour = 0;

    friend bool operator==(const Place&, const Place&) = default;

    bool is_sound() const {
        const microseconds since{hour};
        return resolution == as_they_came && since % hours{1} == microseconds{0} &&
               std::chrono::floor<days>(since).count() == day;
    }
};

class PointCheck {
public:
    explicit PointCheck(Verifying& all) : all_{&all} {}

    Result<void> run() {
        TRY_VOID(each_row_of(
            all_->store(),
            {.table = &point_block_table},
            [&](const storage::Rows& rows, std::size_t row) -> Result<void> {
                take(rows, row);
                return {};
            }
        ));
        check_merged();
        if (left_ > 0) {
            all_->remark(fmt::format(
                "{} hours are several rows each, as nobody sealed them within {} days",
                left_,
                noted_for.count()
            ));
        }
        return {};
    }

private:
    void take(const storage::Rows& rows, std::size_t row) {
        const Place place{
            .series = rows.at(row, 0).number(),
            .day = rows.at(row, 1).number(),
            .resolution = rows.at(row, 2).number(),
            .hour = rows.at(row, 3).number()
        };
        const RowNumber number{
            .written = rows.at(row, 4).number(), .writer = rows.at(row, 5).number()
        };
        const std::int64_t expires = rows.at(row, 7).number();
        if (expires <= all_->now()) {
            return;
        }
        if (place != place_) {
            check_merged();
            place_ = place;
        }
        if (!place.is_sound()) {
            differ(fmt::format(
                "a row of points stands in day {} and resolution {}, where nobody looks for it",
                place.day,
                place.resolution
            ));
            return;
        }
        if (!all_->is_named(place.series) && all_->is_told(expires)) {
            differ("points of a series without a name");
        }
        points_.clear();
        if (const auto decoded = series::decode(rows.at(row, 6).text(), points_); !decoded) {
            differ(decoded.error().message);
            is_damaged_ = true;
            return;
        }
        all_->count(place.series, place.hour, points_.size());
        check_times();
        rows_.push_back({.number = number, .points = points_.size()});
    }

    void check_times() {
        const std::int64_t begins = place_.hour / micros(milliseconds{1});
        const std::int64_t ends = begins + milliseconds{hours{1}}.count();
        std::optional<std::int64_t> last;
        for (const series::Point& each : points_) {
            if (each.time < begins || each.time >= ends) {
                differ(fmt::format("a point of {} ms is not of this hour", each.time));
                return;
            }
            if (last && each.time <= *last) {
                differ(fmt::format("a point of {} ms stands behind one of {} ms", each.time, *last)
                );
                return;
            }
            last = each.time;
        }
    }

    /// Of the rows of an hour. Who seals it puts all together that were written up to then, and
    /// forgets that it was to be done: so a row of which that is forgotten is alone, or behind a
    /// full one. What stands beside a damaged row is not put together.
    void check_merged() {
        const std::vector<Row> rows = std::exchange(rows_, {});
        if (std::exchange(is_damaged_, false)) {
            return;
        }
        const auto apart =
            std::ranges::adjacent_find(rows, [this](const Row& one, const Row& other) {
                const auto& [before, next] = std::minmax(one, other);
                return before.points < block_points_max && next.number.written < all_->now() &&
                       !all_->is_to_be_sealed(
                           place_.series,
                           place_.hour,
                           std::chrono::floor<hours>(microseconds{next.number.written})
                       );
            });
        if (apart == rows.end()) {
            return;
        }
        const auto& [before, next] = std::minmax(apart[0], apart[1]);
        const auto written = std::chrono::floor<hours>(microseconds{next.number.written});
        if (micros(written + noted_for) <= all_->now()) {
            ++left_;
            return;
        }
        differ(fmt::format(
            "the rows that were written at {} and {} were to be one, and nothing says that they "
            "still are",
            before.number.written,
            next.number.written
        ));
    }

    void differ(std::string_view what) { all_->differ(place_.series, place_.hour, what); }

    struct Row {
        RowNumber number;
        std::size_t points;

        friend bool operator<(const Row& one, const Row& other) {
            return one.number < other.number;
        }
    };

    Verifying* all_;
    Place place_;
    std::vector<Row> rows_;  ///< Of the hour.
    bool is_damaged_ = false;
    std::vector<series::Point> points_;
    std::uint64_t left_ = 0;
};

}  // namespace

Result<void> verify_points(Verifying& verifying) {
    return PointCheck{verifying}.run();
}

}  // namespace footfall::timeseries
