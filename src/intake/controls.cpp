// Control records on their way into lanes: those that a lane's judge writes by itself, and those
// that were said from outside.

#include "foundation/check.h"
#include "intake/intake.h"
#include "intake/lane_events.h"
#include "intake/lane_judge.h"
#include "intake/room.h"

#include <algorithm>
#include <chrono>
#include <string>
#include <string_view>
#include <utility>

namespace footfall::intake {

void LaneJudge::remember(const events::Control& control) {
    if (const auto* const rules = std::get_if<events::RulesInForce>(&control)) {
        told_version_ = rules->version;
    }
}

Result<storage::CommitPosition> LaneJudge::tell_rules() {
    const events::RulesInForce rules{
        .version = context_->rules->version(), .digest = context_->rules->digest()
    };
    if (rules.version == 0 || rules.version == told_version_) {
        return 0;
    }
    TRY_VOID(append(rules));
    told_version_ = rules.version;
    return told_at_;
}

Result<storage::CommitPosition> LaneJudge::take(const events::Control& control) {
    TRY_VOID(check_taking());
    const std::optional<std::uint64_t> source = events::source_of(control);
    if (source && *source < next_source_) {
        return told_at_;
    }
    const std::uint64_t before = next_source_;
    TRY_VOID(check_none_missing(lane_, before, source.value_or(before)));
    next_source_ = source ? *source + 1 : before;
    if (Result<void> appended = append(control); !appended) {
        next_source_ = before;
        return std::unexpected(std::move(appended).error());
    }
    return told_at_;
}

Result<void> LaneJudge::append(const events::Control& control) {
    std::string record;
    events::append_control(control, record);
    const std::string_view records[] = {record};
    const std::uint64_t offset = context_->log->end(lane_);
    TRY(told_at_, context_->log->append(lane_, records));
    const projecting::ControlRecord controls[] = {{.offset = offset, .control = control}};
    tell_projections({.controls = controls, .end = {.offset = offset + 1, .source = next_source_}});
    return {};
}

Result<void> Intake::say_each(std::span<const events::ControlInLane> controls) {
    Taken said;
    Result<void> all = say_in_lanes(controls, said.position);
    if (all) {
        all = journal::wait_durable(*context_.log, said.position);
    }
    return all ? all : std::unexpected(said.failure(std::move(all).error()));
}

Result<void> Intake::pass_on(std::uint32_t lane, const events::Control& control) {
    CHECK(events::source_of(control), "where it stands in the log of events");
    const events::ControlInLane controls[] = {{.lane = lane, .control = control}};
    storage::CommitPosition position = 0;
    return say_in_lanes(controls, position);
}

/// On failure `position` says what was said before it.
Result<void> Intake::say_in_lanes(
    std::span<const events::ControlInLane> controls, storage::CommitPosition& position
) {
    TRY_VOID(health());
    const std::shared_lock turn{turn_};
    const auto patience_ends = std::chrono::steady_clock::now() + room_patience;
    for (const events::ControlInLane& each : controls) {
        CHECK(each.lane < JudgeLanes::count, "no such lane", each.lane);
        CHECK(events::is_said(each.control), "which rules are in force judges say by themselves");
        if (context_.host != nullptr) {
            TRY_VOID(
                once_there_is_room([&] { return context_.host->wait_for_room(); }, patience_ends)
            );
        }
        const auto take = [&] {
            return lanes_.with(each.lane, [&](auto& judge) { return judge->take(each.control); });
        };
        TRY(const storage::CommitPosition taken, once_there_is_room(take, patience_ends));
        position = std::max(position, taken);
        note_appended(taken);
    }
    return {};
}

}  // namespace footfall::intake
