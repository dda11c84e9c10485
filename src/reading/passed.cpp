#include "reading/passed.h"

#include "foundation/varint.h"
#include "reading/readership.h"
#include "runtime/lanes.h"

#include <algorithm>
#include <chrono>
#include <vector>

namespace footfall::reading {

std::string written_passed(std::optional<Instant> passed) {
    std::string bytes;
    if (passed) {
        append_varint(zigzag(passed->time_since_epoch().count()), bytes);
    }
    return bytes;
}

std::optional<Instant> read_passed(std::string_view bytes) {
    std::uint64_t said = 0;
    if (!take_varint(bytes, said) || !bytes.empty()) {
        return std::nullopt;
    }
    return Instant{std::chrono::microseconds{from_zigzag(said)}};
}

/// Nothing of the lane is dropped meanwhile.
std::optional<Instant> Readership::passed(std::uint32_t lane) {
    return marks_.with(lane, [&](const Mark& own) {
        const auto first = Readership::unsaved(lane);
        return !first || *first > own.offset ? own.said : std::nullopt;
    });
}

std::optional<Instant> Readership::passed_by_all() {
    if (options_.owners == nullptr) {
        return clock_->now();
    }
    std::vector<std::optional<Instant>> passed_by;
    std::vector<projecting::LaneQuestion> questions;
    for (std::uint32_t lane = 0; lane < runtime::lane_count; ++lane) {
        if (options_.owners->counted_here(lane)) {
            passed_by.push_back(passed(lane));
        } else {
            questions.push_back({.lane = lane, .bytes = std::string{passed_question}});
        }
    }
    if (!questions.empty()) {
        for (const auto& each : options_.owners->ask(name, questions).of_asked) {
            passed_by.push_back(each ? read_passed(each->bytes) : std::nullopt);
        }
    }
    const bool all =
        std::ranges::all_of(passed_by, [](const auto& each) { return each.has_value(); });
    return all ? *std::ranges::min_element(passed_by) : std::nullopt;
}

}  // namespace footfall::reading
