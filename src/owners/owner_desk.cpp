#include "owners/owner_desk.h"

#include "owners/cells_wire.h"
#include "owners/proof.h"

#include <utility>

namespace footfall::owners {

bool OwnerDesk::knows(std::string_view proof, std::string_view question) const {
    return question.size() <= question_bytes_max &&
           is_proof(proof, secret_, question, clock_->now());
}

Result<std::string> OwnerDesk::answer(std::string_view question) const {
    TRY(const std::vector<WireAsked> asked, read_question(question));
    WireAnswer answer;
    answer.reserve(asked.size());
    for (const auto& [cells, generation] : asked) {
        const auto lane = static_cast<std::uint32_t>(cells.lane);
        auto& owned = answer.emplace_back();
        const auto counted = lanes_->counted(lane);
        if (!counted || lanes_->generation(lane) != generation) {
            continue;
        }
        views::CellCopies copies = views_->unsaved(cells);
        if (lanes_->generation(lane) == generation) {
            owned = views::OwnedCells{.cells = std::move(copies), .counted = *counted};
        }
    }
    return written_answer(answer, views_->sketch_key());
}

}  // namespace footfall::owners
