#pragma once

#include "foundation/clock.h"
#include "people/people.h"
#include "projecting/owners.h"
#include "reading/readership.h"
#include "storage/store.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace footfall::reading {

/// Owns all lanes: passes what is asked on to the Readership that counts them, and counts it.
class OneOwner final : public projecting::Owners {
public:
    /// It may be replaced meanwhile.
    explicit OneOwner(const std::unique_ptr<Readership>& counting) : counting_{&counting} {}

    std::optional<std::uint64_t> counted_here(std::uint32_t /*lane*/) override {
        return std::nullopt;
    }

    projecting::LaneAnswers ask(
        std::string_view /*projection*/,
        std::span<const projecting::LaneQuestion> asked,
        std::string_view of_all
    ) override {
        ++times;
        bytes_of_all += of_all.size();
        projecting::LaneAnswers answers;
        answers.of_asked.resize(asked.size());
        std::vector<projecting::AskedLane> lanes;
        lanes.reserve(asked.size());
        for (const projecting::LaneQuestion& each : asked) {
            lanes.push_back({.lane = each.lane, .question = each.bytes});
        }
        auto told =
            is_silent
                ? Result<std::vector<std::string>>{fail(ErrorKind::unavailable, "nobody answers")}
                : (*counting_)->answer_all(lanes, of_all);
        for (std::size_t at = 0; told && at < asked.size(); ++at) {
            answers.of_asked[at] = {.bytes = std::move((*told)[at]), .counted = 0};
        }
        return answers;
    }

    bool is_silent = false;
    std::size_t times = 0;
    std::size_t bytes_of_all = 0;

private:
    const std::unique_ptr<Readership>* counting_;
};

/// A process that counts no lane, beside the one that counts all of them, with one store.
class AskingProcess {
public:
    AskingProcess(
        storage::Store& store,
        const Clock& clock,
        const std::unique_ptr<Readership>& counting,
        SipKey secret,
        std::chrono::days ttl
    )
        : owner{counting},
          people{*people::People::open(store, clock, {.secret = secret, .shared = true})},
          readership{
              store, clock, people->sharers(), {.secret = secret, .ttl = ttl, .owners = &owner}
          } {}

    OneOwner owner;
    std::unique_ptr<people::People> people;
    Readership readership;
};

}  // namespace footfall::reading
