#include "views/other_lanes.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace footfall::views {

rankings::OtherLanes other_lanes(projecting::Owners& owners, std::string_view projection) {
    return {
        .is_here = [&owners](std::uint32_t lane) { return owners.counted_here(lane).has_value(); },
        .ask =
            [&owners, projection](std::span<const std::uint32_t> lanes, std::string_view question) {
                std::vector<projecting::LaneQuestion> asked;
                asked.reserve(lanes.size());
                for (const std::uint32_t lane : lanes) {
                    asked.push_back({.lane = lane, .bytes = std::string{question}});
                }
                std::vector<std::optional<std::string>> answers;
                answers.reserve(lanes.size());
                for (auto& told : owners.ask(projection, asked).of_asked) {
                    answers.push_back(told ? std::optional{std::move(told->bytes)} : std::nullopt);
                }
                return answers;
            }
    };
}

}  // namespace footfall::views
