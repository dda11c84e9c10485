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
        const std::uint64_t source = records.first() + at;
        if (auto* const event = std::get_if<events::JudgedEvent>(&record)) {
            event->source = source;
            if (const people::ReadDoor* const reads = intake_->context().reads) {
                reads->seals().open(*event);
            }
            events.push_back(std::move(*event));
            continue;
        }
        TRY_VOID(intake_->judge_lane(lane, std::exchange(events, {})));
        TRY_VOID(pass_on(lane, std::get<events::Control>(std::move(record)), source));
    }
    return intake_->judge_lane(lane, std::move(events));
}

Result<void> GuardReader::pass_on(
    std::uint32_t lane, events::Control control, std::uint64_t source
) {
    if (!events::is_said(control)) {
        return fail(ErrorKind::corrupt, "the log of events has a control that judges alone write");
    }
    events::set_source(control, source);
    return intake_->pass_on(lane, control);
}

Result<journal::LaneReader::Next> GuardReader::settle() {
    TRY_VOID(intake_->health());
    const std::uint64_t before = std::exchange(recoveries_, intake_->recoveries());
    return recoveries_ == before ? Next::as_before : Next::anew;
}

}  // namespace footfall::intake
