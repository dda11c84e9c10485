#pragma once

#include "foundation/clock.h"
#include "foundation/random.h"
#include "rankings/trending.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::rankings {

using namespace std::chrono_literals;

inline constexpr Instant noon{std::chrono::days{20'000} + 12h};

struct Event {
    std::string object;
    Instant time;
    double weight = 1;
};

inline std::uint64_t hash_of(std::string_view object) {
    std::uint64_t seed = 14'695'981'039'346'656'037U;
    for (const char letter : object) {
        seed = (seed ^ static_cast<unsigned char>(letter)) * 1'099'511'628'211;
    }
    return Random{seed}();
}

inline void add(TrendCandidates& candidates, const Event& event) {
    candidates.add(hash_of(event.object), event.object, event.time, event.weight);
}

inline std::vector<Event> random_events(
    Random& random, std::size_t count, std::size_t objects, std::chrono::seconds span
) {
    std::vector<Event> events;
    events.reserve(count);
    for (std::size_t at = 0; at < count; ++at) {
        // The square makes some much busier than others.
        const double place = random.fraction();
        const auto object = static_cast<std::size_t>(place * place * static_cast<double>(objects));
        events.push_back(
            {.object = "object " + std::to_string(object),
             .time = noon - std::chrono::microseconds{random.below(
                                static_cast<std::uint64_t>(span.count()) * 1'000'000
                            )},
             .weight = random.below(2) == 0 ? 1 : random.fraction() * 20}
        );
    }
    return events;
}

}  // namespace footfall::rankings
