#include "views/projection.h"

#include "views/cells_wire.h"

#include <vector>

namespace footfall::views {
namespace {

/// Each record counts twice: for its object, and for all.
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
        facts.push_back(fact);
        fact.object = all_objects;
        facts.push_back(fact);
    }
    return facts;
}

}  // namespace

void ViewsProjection::apply(std::uint32_t lane, std::span<const projecting::JudgedRecord> records) {
    views_->apply(lane, facts_of(records));
}

Result<void> ViewsProjection::expire(
    std::uint32_t lane, std::span<const projecting::JudgedRecord> records
) {
    return views_->expire(lane, facts_of(records));
}

Result<std::string> ViewsProjection::answer(std::uint32_t lane, std::string_view question) {
    TRY(const CellsAsked asked, read_question(lane, question));
    return written_cells(views_->unsaved(asked), views_->sketch_key());
}

}  // namespace footfall::views
