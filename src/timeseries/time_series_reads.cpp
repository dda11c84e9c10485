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

Result<std::vector<series::Point>> TimeSeries::read(
    std::string_view name, std::int64_t from, std::int64_t until
) const {
    const std::int64_t now = clock_->now().time_since_epoch().count();
    const auto kept = options_.retention.of(name).front().kept;
    auto points = read_point_rows(
        *store_,
        number_of(name),
        std::max(from, now / 1000 - milliseconds{kept}.count()),
        std::min(until, now / 1000 + 2 * ahead_max.count()),
        now
    );
    return points ? std::move(points) : std::unexpected(with_context(points.error(), name));
}

Result<std::vector<series::Cell>> TimeSeries::read_cells(
    std::string_view name,
    const series::Resolution& resolution,
    std::int64_t from,
    std::int64_t until,
    std::optional<series::Figure> wanted
) const {
    const std::int64_t now = clock_->now().time_since_epoch().count();
    const std::int64_t kept_from = now / 1000 - milliseconds{resolution.kept}.count();
    auto cells = read_whole_cells(
        *store_,
        number_of(name),
        resolution.step,
        std::max(from, kept_from),
        std::min(until, now / 1000 + 2 * ahead_max.count()),
        wanted,
        now
    );
    return cells ? std::move(cells) : std::unexpected(with_context(cells.error(), name));
}

std::vector<series::Resolution> TimeSeries::resolutions_of(SeriesId id) const {
    const std::shared_lock lock{mutex_};
    const std::string* const name = catalogue_.name_of(id);
    if (name == nullptr) {
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
