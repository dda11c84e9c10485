#include "owners/owner_desk.h"

#include "owners/proof.h"
#include "owners/wire.h"

#include <utility>

namespace footfall::owners {

bool OwnerDesk::knows(std::string_view proof, std::string_view question) const {
    return question.size() <= question_bytes_max &&
           is_proof(proof, secret_, question, clock_->now());
}

Result<std::string> OwnerDesk::answer(std::string_view question) const {
    TRY(const WireQuestion asked, read_question(question));
    WireAnswer answer;
    answer.reserve(asked.parts.size());
    for (const WirePart& part : asked.parts) {
        auto& owned = answer.emplace_back();
        const auto counted = lanes_->counted(part.lane);
        if (!counted || lanes_->generation(part.lane) != part.generation) {
            continue;
        }
        TRY(std::string told, host_->answer(asked.projection, part.lane, part.bytes));
        if (lanes_->generation(part.lane) == part.generation) {
            owned = projecting::LaneAnswer{.bytes = std::move(told), .counted = *counted};
        }
    }
    return written_answer(answer);
}

}  // namespace footfall::owners
