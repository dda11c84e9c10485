#include "storage/store.h"
#include "timeseries/point_rows.h"
#include "timeseries/time_series.h"
#include "timeseries/whole_cells.h"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <utility>

namespace footfall::timeseries {
namespace {

using std::chrono::milliseconds;

/// Names that are looked at before others have their turn.
constexpr std::size_t looked_at_once = 10'000;
constexpr std::size_t listed_bytes_max = 64 << 20;

}  // namespace

TimeSeries::Reading TimeSeries::reading(
    std::string_view name, std::chrono::seconds kept, std::int64_t from, std::int64_t until
) const {
    const std::int64_t now = clock_->now().time_since_epoch().count();
    return {
        .series = number_of(name),
        .from = std::max(from, now / 1000 - milliseconds{kept}.count()),
        .until = std::min(until, now / 1000 + 2 * ahead_max.count()),
        .now = now
    };
}

Result<std::vector<series::Point>> TimeSeries::read(
    std::string_view name, std::int64_t from, std::int64_t until
) const {
    std::vector<series::Point> points;
    TRY_VOID(read(name, from, until, points));
    return points;
}

Result<void> TimeSeries::read(
    std::string_view name, std::int64_t from, std::int64_t until, std::vector<series::Point>& points
) const {
    const Reading of = reading(name, options_.retention.of(name).front().kept, from, until);
    auto done = read_point_rows(*store_, of.series, of.from, of.until, of.now, points);
    return done ? done : std::unexpected(with_context(done.error(), name));
}

Result<std::vector<series::Cell>> TimeSeries::read_cells(
    std::string_view name,
    const series::Resolution& resolution,
    std::int64_t from,
    std::int64_t until
) const {
    const Reading of = reading(name, resolution.kept, from, until);
    auto cells = read_whole_cells(*store_, of.series, resolution.step, of.from, of.until, of.now);
    return cells ? std::move(cells) : std::unexpected(with_context(cells.error(), name));
}

Result<void> TimeSeries::read_figure(
    std::string_view name,
    const series::Resolution& resolution,
    std::int64_t from,
    std::int64_t until,
    series::Figure figure,
    std::vector<series::Point>& points
) const {
    const Reading of = reading(name, resolution.kept, from, until);
    auto done = read_whole_figure(
        *store_, of.series, resolution.step, of.from, of.until, figure, of.now, points
    );
    return done ? done : std::unexpected(with_context(done.error(), name));
}

std::vector<series::Resolution> TimeSeries::resolutions_of(SeriesId id) const {
    const std::shared_lock lock{mutex_};
    const auto name = catalogue_.name_of(id);
    if (!name) {
        return {};
    }
    const auto resolutions = options_.retention.of(*name);
    return {resolutions.begin(), resolutions.end()};
}

std::int64_t TimeSeries::number_of(std::string_view name) const {
    return static_cast<std::int64_t>(catalogue_.id_of(name));
}

Result<std::vector<Node>> TimeSeries::find(const series::Glob& pattern, std::size_t most) const {
    const std::shared_lock lock{mutex_};
    return catalogue_.find(pattern, most);
}

Result<void> TimeSeries::each_tagged(
    const series::TagQuery& query,
    const std::stop_token& left,
    const std::function<bool(std::string_view)>& see
) const {
    Catalogue::Place place;
    for (bool more = true; more && !place.done;) {
        if (left.stop_requested()) {
            return fail(ErrorKind::cancelled, "tags: nobody waits");
        }
        const std::shared_lock lock{mutex_};
        catalogue_.each_tagged(query, looked_at_once, place, [&](std::string_view name) {
            more = more && see(name);
        });
    }
    return {};
}

Result<void> TimeSeries::each_name(
    std::size_t most, const std::function<void(std::string_view)>& see
) const {
    Catalogue::Place place;
    while (!place.done) {
        const std::shared_lock lock{mutex_};
        if (catalogue_.size() > most || catalogue_.bytes() > listed_bytes_max) {
            return fail(
                ErrorKind::invalid_input,
                fmt::format(
                    "there are {} series, whose names take {} MiB; no more than {} and {} MiB are "
                    "listed at once: ask for some of them, by a pattern or by tags",
                    catalogue_.size(),
                    catalogue_.bytes() >> 20,
                    most,
                    listed_bytes_max >> 20
                )
            );
        }
        catalogue_.each_name(looked_at_once, place, see);
    }
    return {};
}

std::vector<std::string> TimeSeries::names_from(
    Catalogue::Tagged tagged, std::string_view from, std::size_t most
) const {
    const std::shared_lock lock{mutex_};
    return catalogue_.names_from(tagged, from, most);
}

}  // namespace footfall::timeseries
