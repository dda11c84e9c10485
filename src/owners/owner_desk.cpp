#include "owners/owner_desk.h"

#include "owners/proof.h"
#include "owners/wire.h"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace footfall::owners {

bool OwnerDesk::knows(std::string_view proof, std::string_view question) const {
    return question.size() <= question_bytes_max &&
           is_proof(proof, secret_, question, clock_->now());
}

Result<std::string> OwnerDesk::answer(std::string_view question) const {
    TRY(const WireQuestion asked, read_question(question));
    std::vector<projecting::AskedLane> ours;
    std::vector<std::size_t> places;
    std::vector<std::uint64_t> counted;
    for (std::size_t at = 0; at < asked.parts.size(); ++at) {
        const WirePart& part = asked.parts[at];
        const auto before = lanes_->counted(part.lane);
        if (before && lanes_->generation(part.lane) == part.generation) {
            ours.push_back({.lane = part.lane, .question = part.bytes});
            places.push_back(at);
            counted.push_back(*before);
        }
    }
    WireAnswer answer(asked.parts.size());
    if (ours.empty()) {
        return written_answer(answer);
    }
    TRY(std::vector<std::string> told, host_->answer(asked.projection, ours, asked.of_all));
    for (std::size_t at = 0; at < ours.size(); ++at) {
        if (lanes_->generation(ours[at].lane) == asked.parts[places[at]].generation) {
            answer[places[at]] =
                projecting::LaneAnswer{.bytes = std::move(told[at]), .counted = counted[at]};
        }
    }
    return written_answer(answer);
}

}  // namespace footfall::owners
