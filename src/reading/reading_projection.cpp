#include "reading/reading_projection.h"

#include "runtime/lanes.h"

namespace footfall::reading {
namespace {

/// The earliest of those that are there.
std::optional<std::uint64_t> first_of(
    std::optional<std::uint64_t> one, std::optional<std::uint64_t> other
) {
    return !one ? other : !other ? one : std::min(*one, *other);
}

}  // namespace

Result<void> ReadingProjection::begin(std::span<const projecting::LaneStart> lanes) {
    TRY_VOID(readership_->begin(lanes));
    TRY_VOID(ranks_->begin(lanes));
    std::vector<std::uint32_t> numbers;
    for (const projecting::LaneStart& each : lanes) {
        numbers.push_back(each.lane);
    }
    return trends_->begin(numbers);
}

Result<void> ReadingProjection::wait_for_room() {
    TRY_VOID(readership_->wait_for_room());
    return ranks_->wait_for_room();
}

/// All parts of a question are of one kind.
Result<std::vector<std::string>> ReadingProjection::answer_all(
    std::span<const projecting::AskedLane> asked, std::string_view of_all
) {
    return !asked.empty() && rankings::Trends::is_question(asked.front().question)
               ? Projection::answer_all(asked, of_all)
               : readership_->answer_all(asked, of_all);
}

void ReadingProjection::apply(
    std::uint32_t lane, std::span<const projecting::JudgedRecord> records
) {
    readership_->apply(lane, records);
    std::vector<rankings::TrendFact> reads;
    for (const projecting::JudgedRecord& each : records) {
        const events::JudgedEvent& judged = *each.judged;
        if (judged.read && judged.read->reader && judged.verdict.counted()) {
            reads.push_back(
                {.action = judged.event.action,
                 .object = judged.event.object,
                 .object_hash = siphash13(secret_, judged.event.object),
                 .offset = each.offset,
                 .time = judged.event.time,
                 .person = judged.read->reader,
                 .may_be_hot = false}
            );
        }
    }
    if (!reads.empty()) {
        ranks_->apply(lane, reads);
        trends_->apply(lane, reads);
    }
}

/// What is told again makes nothing trend, but is ranked: whoever begins again with the log counts
/// no read whose former key is gone.
void ReadingProjection::control(
    std::uint32_t lane, std::uint64_t offset, const events::Control& control
) {
    const std::vector<ToldRead> told = readership_->take_told_again(lane, offset, control);
    std::vector<rankings::TrendFact> reads;
    reads.reserve(told.size());
    for (const ToldRead& each : told) {
        reads.push_back(
            {.action = ranked_reads.action,
             .object = each.url,
             .object_hash = siphash13(secret_, each.url),
             .offset = offset,
             .time = begin_of(each.quarter)}
        );
    }
    if (!reads.empty()) {
        ranks_->apply(lane, reads);
    }
}

Result<void> ReadingProjection::flush(bool all) {
    TRY_VOID(readership_->flush(all));
    TRY_VOID(ranks_->flush(all));
    return trends_->flush(all);
}

std::optional<std::uint64_t> ReadingProjection::unsaved(std::uint32_t lane) {
    return first_of(
        readership_->unsaved(lane), first_of(ranks_->unsaved(lane), trends_->first_unsaved(lane))
    );
}

void ReadingProjection::drop() {
    for (std::uint32_t lane = 0; lane < runtime::lane_count; ++lane) {
        drop_lane(lane);
    }
}

void ReadingProjection::drop_lane(std::uint32_t lane) {
    readership_->drop_lane(lane);
    ranks_->drop_lane(lane);
    trends_->drop_lane(lane);
}

}  // namespace footfall::reading
