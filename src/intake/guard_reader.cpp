#include "intake/guard_reader.h"

#include <utility>
#include <variant>

namespace footfall::intake {

Result<std::vector<std::uint64_t>> GuardReader::assigned(std::span<const std::uint32_t> lanes) {
    TRY_VOID(intake_->take_over(lanes));
    std::vector<std::uint64_t> sources;
    sources.reserve(lanes.size());
    for (const std::uint32_t lane : lanes) {
        sources.push_back(next(lane));
    }
    return sources;
}

void GuardReader::revoked(std::span<const std::uint32_t> lanes, bool lost) {
    intake_->hand_over(lanes, lost);
}

Result<void> GuardReader::consume(std::uint32_t lane, const journal::Records& records) {
    std::vector<events::JudgedEvent> events;
    events.reserve(records.size());
    for (std::size_t at = 0; at < records.size(); ++at) {
        TRY(events::LogRecord record, events::read_record(records[at]));
        auto* const event = std::get_if<events::JudgedEvent>(&record);
        if (event == nullptr) {
            return fail(ErrorKind::corrupt, "the log of events has a record that is none");
        }
        event->source = records.first() + at;
        events.push_back(std::move(*event));
    }
    return intake_->judge_lane(lane, std::move(events));
}

Result<journal::LaneReader::Next> GuardReader::settle() {
    TRY_VOID(intake_->health());
    const std::uint64_t before = std::exchange(recoveries_, intake_->recoveries());
    return recoveries_ == before ? Next::as_before : Next::anew;
}

}  // namespace footfall::intake
