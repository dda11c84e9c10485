#include "timeseries/verify.h"

#include "series/name.h"
#include "timeseries/schema.h"
#include "timeseries/verifying.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <string>

namespace footfall::timeseries {
namespace {

using std::chrono::days;
using std::chrono::hours;
using std::chrono::microseconds;

/// Rows of points stay for a day longer than they are told, and an hour is of its end.
constexpr hours untold_for = days{1} + hours{1};
constexpr std::uint64_t points_between_progress = 100'000;

/// In words; damaged rows may have any number.
std::string hour_text(std::int64_t hour) {
    constexpr microseconds last = days{2'932'896};  // 9999-12-31
    if (hour < 0 || microseconds{hour} > last) {
        return fmt::format("{} microseconds since 1970", hour);
    }
    return fmt::format(
        "{:%FT%T}Z", std::chrono::floor<std::chrono::seconds>(Instant{microseconds{hour}})
    );
}

}  // namespace

Verifying::Verifying(
    storage::Store& store, const VerifyOptions& options, const VerifyListeners& listeners
)
    : store_{&store},
      options_{&options},
      listeners_{&listeners},
      now_{micros(options.now.time_since_epoch())},
      names_{options.secret} {}

Result<void> Verifying::read() {
    TRY_VOID(each_row_of(
        *store_,
        {.table = &series_table},
        [&](const storage::Rows& rows, std::size_t row) { return take_name(rows, row); }
    ));
    TRY_VOID(each_row_of(
        *store_,
        {.table = &unsealed_hour_table},
        [&](const storage::Rows& rows, std::size_t row) -> Result<void> {
            if (rows.at(row, 4).number() <= now_) {
                return {};
            }
            notes_.push_back(
                {.series = rows.at(row, 2).number(),
                 .hour = rows.at(row, 3).number(),
                 .written = rows.at(row, 0).number()}
            );
            return {};
        }
    ));
    std::ranges::sort(notes_);
    return {};
}

/// A name that is not as it should be stands for the series all the same, so that one difference
/// is one.
Result<void> Verifying::take_name(const storage::Rows& rows, std::size_t row) {
    if (rows.at(row, 3).number() <= now_) {
        return {};
    }
    std::string name{rows.at(row, 0).text()};
    if (const std::string_view tags = rows.at(row, 1).text(); !tags.empty()) {
        name.append(";").append(tags);
    }
    const Result<std::string> parsed = series::parse_name(name);
    if (!parsed) {
        tell(fmt::format("{}: is no name of a series: {}", name, parsed.error().message));
        return {};
    }
    if (*parsed != name) {
        tell(fmt::format("{}: is the series {}, whose tags stand in another order", name, *parsed));
        return {};
    }
    const SeriesId id = names_.id_of(name);
    if (const std::int64_t number = rows.at(row, 2).number();
        number != static_cast<std::int64_t>(id)) {
        tell(fmt::format(
            "{}: has the number {}, where its name gives {}",
            name,
            number,
            static_cast<std::int64_t>(id)
        ));
    }
    if (const auto other = names_.name_of(id)) {
        tell(fmt::format("{}: has the number of {}", name, *other));
        return {};
    }
    names_.see(id, name, 0);
    ++verified_.series;
    return {};
}

void Verifying::tell(const std::string& text) {
    ++verified_.differences;
    listeners_->difference(text);
}

void Verifying::differ(std::int64_t series, std::int64_t hour, std::string_view what) {
    const auto name = names_.name_of(static_cast<SeriesId>(series));
    tell(fmt::format(
        "{}, {}: {}",
        name ? std::string{*name} : fmt::format("series number {}", series),
        hour_text(hour),
        what
    ));
}

void Verifying::count(std::int64_t series, std::int64_t hour, std::size_t points) {
    const auto [oldest, is_new] = oldest_.try_emplace(series, hour);
    oldest->second = std::min(oldest->second, hour);
    const std::uint64_t before = verified_.points;
    verified_.points += points;
    if (before / points_between_progress != verified_.points / points_between_progress) {
        listeners_->progress(verified_.points);
    }
}

bool Verifying::is_told(std::int64_t expires) const {
    return expires > now_ + micros(untold_for);
}

bool Verifying::is_named(std::int64_t series) const {
    return names_.name_of(static_cast<SeriesId>(series)).has_value();
}

std::span<const series::Resolution> Verifying::resolutions(std::int64_t series) const {
    const auto name = names_.name_of(static_cast<SeriesId>(series));
    return name ? options_->retention.of(*name) : std::span<const series::Resolution>{};
}

bool Verifying::is_to_be_sealed(std::int64_t series, std::int64_t hour) const {
    const auto at = std::ranges::lower_bound(
        notes_, Note{.series = series, .hour = hour, .written = INT64_MIN}
    );
    return at != notes_.end() && at->series == series && at->hour == hour;
}

bool Verifying::is_to_be_sealed(std::int64_t series, std::int64_t hour, hours written) const {
    return std::ranges::binary_search(
        notes_, Note{.series = series, .hour = hour, .written = micros(written)}
    );
}

std::optional<std::int64_t> Verifying::oldest_hour(std::int64_t series) const {
    const auto found = oldest_.find(series);
    return found == oldest_.end() ? std::nullopt : std::optional{found->second};
}

Result<Verified> verify(
    storage::Store& store, const VerifyOptions& options, const VerifyListeners& listeners
) {
    Verifying verifying{store, options, listeners};
    TRY_VOID(verifying.read());
    TRY_VOID(verify_points(verifying));
    TRY_VOID(verify_cells(verifying));
    return verifying.verified();
}

}  // namespace footfall::timeseries
