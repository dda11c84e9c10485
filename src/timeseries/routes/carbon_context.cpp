#include "timeseries_routes/carbon_context.h"

#include "storage/blocking.h"
#include "timeseries_routes/carbon_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace footfall::timeseries::routes {
namespace {

/// Of a line, in the log.
constexpr std::size_t shown_bytes = 200;

/// What is not printable, as a question mark: lines come from anywhere.
std::string shown(std::string_view line) {
    std::string text{line.substr(0, shown_bytes)};
    std::ranges::replace_if(text, [](char byte) { return byte < ' ' || byte > '~'; }, '?');
    return text;
}

}  // namespace

std::string_view name_of(LineTrouble trouble) {
    static constexpr std::array<std::string_view, line_troubles> names{
        "malformed", "too_long", "store", "dropped"
    };
    return names[static_cast<std::size_t>(trouble)];
}

void CarbonContext::take_line(std::string_view line, Instant now, PointList& points) {
    if (line.size() > carbon_line_bytes_max) {
        refuse_too_long(line);
        return;
    }
    std::string room;
    const auto read = read_carbon_line(line, now, room);
    if (!read) {
        refuse(LineTrouble::malformed, line, read.error().message);
    } else if (const std::optional<PointOf>& point = *read) {
        points.add(point->name, point->point);
    }
}

void CarbonContext::refuse_too_long(std::string_view beginning) {
    refuse(LineTrouble::too_long, beginning, "a line is at most 4,096 bytes");
}

Result<Taken> CarbonContext::write(const PointList& points) {
    TRY(const Taken taken, series_->write(points.points()));
    if (taken.refused[static_cast<std::size_t>(Refusal::no_room)] > 0) {
        troubles_.say(
            LogLevel::warning,
            fmt::format("carbon: a new series is refused: {}", series_->no_room())
        );
    }
    storage::CommitPosition last = last_.load(std::memory_order_relaxed);
    while (last < taken.position &&
           !last_.compare_exchange_weak(last, taken.position, std::memory_order_relaxed)) {
    }
    return taken;
}

void CarbonContext::settle(std::uint64_t points, bool are_durable) {
    if (are_durable) {
        series_->count_durable(points);
    } else {
        lose(points, "a write failed");
    }
}

void CarbonContext::lose(std::uint64_t points, std::string_view why) {
    count(LineTrouble::store, points);
    troubles_.say(LogLevel::warning, fmt::format("carbon: {} points are lost: {}", points, why));
}

void CarbonContext::drop(std::uint64_t datagrams) {
    count(LineTrouble::dropped, datagrams);
    troubles_.say(
        LogLevel::warning,
        fmt::format("carbon: {} datagrams came faster than they can be taken", datagrams)
    );
}

/// What comes of it nobody asks any more: the store says by itself what it has lost.
void CarbonContext::wait_for_all() {
    static_cast<void>(storage::wait_durable(*store_, last_.load(std::memory_order_relaxed)));
}

void CarbonContext::count(LineTrouble why, std::uint64_t lines) {
    refused_[static_cast<std::size_t>(why)].fetch_add(lines, std::memory_order_relaxed);
}

void CarbonContext::refuse(LineTrouble why, std::string_view line, std::string_view detail) {
    count(why, 1);
    troubles_.say(LogLevel::warning, fmt::format("carbon: {}, and not: {}", detail, shown(line)));
}

}  // namespace footfall::timeseries::routes
