#include "intake/judged_watch.h"

#include <algorithm>
#include <chrono>
#include <utility>
#include <variant>

namespace footfall::intake {

JudgedWatch::JudgedWatch(
    const journal::Log& judged, const Clock& clock, std::vector<Onlooker*> onlookers
)
    : clock_{&clock}, onlookers_{std::move(onlookers)} {
    for (std::uint32_t lane = 0; lane < std::min<std::size_t>(judged.lanes(), runtime::lane_count);
         ++lane) {
        ends_[lane] = judged.end(lane);
    }
}

Result<std::vector<std::uint64_t>> JudgedWatch::assigned(std::span<const std::uint32_t> lanes) {
    std::vector<std::uint64_t> offsets;
    offsets.reserve(lanes.size());
    for (const std::uint32_t lane : lanes) {
        offsets.push_back(next(lane));
    }
    return offsets;
}

Result<void> JudgedWatch::consume(std::uint32_t lane, const journal::Records& records) {
    const Instant now = clock_->now();
    ActivitySecond seen{
        .second = std::chrono::floor<std::chrono::seconds>(now).time_since_epoch().count()
    };
    const std::uint64_t end = end_of(lane);
    for (std::size_t at = 0; at < records.size(); ++at) {
        if (records.first() + at < end) {
            continue;
        }
        const Result<events::LogRecord> record = events::read_record(records[at]);
        const auto* const event = record ? std::get_if<events::JudgedEvent>(&*record) : nullptr;
        if (event != nullptr && !sources_[lane].repeats(*event)) {
            ++(event->verdict.refusal ? seen.refused : seen.counted);
            for (Onlooker* const onlooker : onlookers_) {
                onlooker->see(*event, now);
            }
        }
    }
    activity_.add(seen, seen.second);
    ends_[lane] = std::max(end, records.next());
    return {};
}

}  // namespace footfall::intake
