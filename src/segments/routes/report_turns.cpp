#include "segments_routes/report_turns.h"

#include <fmt/format.h>

#include <utility>

namespace footfall::segments::routes {
namespace {

using segment_reports::ReportDay;
using std::chrono::milliseconds;

/// A report is counted so long after its time at most, where nothing is in the way.
constexpr milliseconds looked_each{5000};

}  // namespace

Result<ReportDay> count_report(AskedPeople& people, const std::vector<std::string>& segments) {
    TRY(Overlaps overlaps, people.overlap(segments));
    return ReportDay{
        .day = 0,
        .segments = segments,
        .sizes = std::move(overlaps.sizes),
        .pairs = std::move(overlaps.pairs),
        .trouble = {},
        .as_of = overlaps.as_of,
        .one_of = overlaps.one_of
    };
}

ReportTurns::ReportTurns(
    const Segments& segments, AskedPeople& people, storage::Store& store, const Clock& clock
)
    : segments_{&segments},
      daily_{store, clock, [&people](const std::vector<std::string>& compared) {
                 return count_report(people, compared);
             }} {}

void ReportTurns::start() {
    turns_.emplace("reports", runtime::Urgency::background, [this](const std::stop_token&) {
        return turn();
    });
}

/// That a store is away is said by the store itself.
milliseconds ReportTurns::turn() {
    if (!segments_->is_derived_here()) {
        return looked_each;
    }
    const Result<std::size_t> counted = daily_.take_turn();
    if (!counted && counted.error().kind != ErrorKind::unavailable &&
        counted.error().kind != ErrorKind::cancelled) {
        troubles_.say(
            LogLevel::warning,
            fmt::format("reports of segments are not counted: {}", counted.error().message)
        );
    }
    return looked_each;
}

}  // namespace footfall::segments::routes
