#include "views/asked_owners.h"

#include "foundation/log.h"
#include "views/cells_wire.h"

#include <utility>
#include <vector>

namespace footfall::views {

OwnersAnswer AskedOwners::ask(std::span<const CellsAsked> asked) {
    std::vector<projecting::LaneQuestion> questions;
    questions.reserve(asked.size());
    for (const CellsAsked& each : asked) {
        questions.push_back(
            {.lane = static_cast<std::uint32_t>(each.lane), .bytes = written_question(each)}
        );
    }
    const projecting::LaneAnswers told = owners_->ask(projection_, questions);
    OwnersAnswer answer{.of_asked = {}, .stored = told.stored};
    answer.of_asked.reserve(asked.size());
    for (const auto& each : told.of_asked) {
        auto& owned = answer.of_asked.emplace_back();
        if (!each) {
            continue;
        }
        Result<CellCopies> cells = read_cells(each->bytes, sketch_key_);
        if (cells) {
            owned = OwnedCells{.cells = *std::move(cells), .counted = each->counted};
        } else {
            answer.stored.reset();
            log(LogLevel::warning, "the owner of a lane of views: {}", cells.error().message);
        }
    }
    return answer;
}

}  // namespace footfall::views
