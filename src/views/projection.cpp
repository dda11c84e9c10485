#include "views/projection.h"

#include "events/action.h"
#include "events/read_by.h"
#include "views/cells_wire.h"

#include <algorithm>
#include <limits>
#include <vector>

namespace footfall::views {
namespace {

/// Each record counts twice: for its object, if that may be told, and for all.
std::vector<Fact> facts_of(std::span<const projecting::JudgedRecord> records) {
    std::vector<Fact> facts;
    facts.reserve(2 * records.size());
    for (const projecting::JudgedRecord& record : records) {
        const events::JudgedEvent& judged = *record.judged;
        Fact fact{
            .action = judged.event.action,
            .object = judged.event.object,
            .offset = record.offset,
            .time = judged.event.time,
            .person = record.person
        };
        if (judged.verdict.refusal) {
            fact.refusal = judged.verdict.refusal->reason;
        }
        if (judged.event.action != events::identify_action) {
            facts.push_back(fact);
        }
        fact.object = all_objects;
        facts.push_back(fact);
    }
    return facts;
}

/// Reads make nothing trend or hot here: who read what, and how many have to have done so before it
/// is told, is known to reading. Who somebody is is known to identities.
std::vector<rankings::TrendFact> trend_facts_of(
    std::span<const projecting::JudgedRecord> records, SipKey secret
) {
    std::vector<rankings::TrendFact> facts;
    facts.reserve(records.size());
    for (const projecting::JudgedRecord& record : records) {
        const events::JudgedEvent& judged = *record.judged;
        if (judged.event.action == events::read_action ||
            judged.event.action == events::identify_action) {
            continue;
        }
        facts.push_back(
            {.action = judged.event.action,
             .object = judged.event.object,
             .object_hash = siphash13(secret, judged.event.object),
             .offset = record.offset,
             .time = judged.event.time,
             .person = judged.verdict.refusal ? std::nullopt : record.person}
        );
    }
    return facts;
}

}  // namespace

Result<void> ViewsProjection::begin(std::span<const projecting::LaneStart> lanes) {
    std::vector<std::uint32_t> begun;
    begun.reserve(lanes.size());
    for (const projecting::LaneStart& each : lanes) {
        begun.push_back(each.lane);
    }
    return trends_->begin(begun);
}

void ViewsProjection::apply(std::uint32_t lane, std::span<const projecting::JudgedRecord> records) {
    views_->apply(lane, facts_of(records));
    trends_->apply(lane, trend_facts_of(records, secret_));
}

Result<void> ViewsProjection::flush(bool all) {
    TRY_VOID(all ? views_->flush_all() : views_->flush());
    return trends_->flush(all);
}

std::optional<std::uint64_t> ViewsProjection::unsaved(std::uint32_t lane) {
    constexpr std::uint64_t none = std::numeric_limits<std::uint64_t>::max();
    const std::uint64_t first = std::min(
        views_->first_unsaved(lane).value_or(none), trends_->first_unsaved(lane).value_or(none)
    );
    return first == none ? std::nullopt : std::optional{first};
}

void ViewsProjection::drop() {
    views_->drop_all();
    trends_->drop_all();
}

void ViewsProjection::drop_lane(std::uint32_t lane) {
    views_->drop_lane(lane);
    trends_->drop_lane(lane);
}

Result<void> ViewsProjection::expire(
    std::uint32_t lane, std::span<const projecting::JudgedRecord> records
) {
    return views_->expire(lane, facts_of(records));
}

Result<std::string> ViewsProjection::answer(std::uint32_t lane, std::string_view question) {
    if (rankings::Trends::is_question(question)) {
        return trends_->answer(lane, question);
    }
    TRY(const CellsAsked asked, read_question(lane, question));
    return written_cells(views_->unsaved(asked), views_->sketch_key());
}

}  // namespace footfall::views
