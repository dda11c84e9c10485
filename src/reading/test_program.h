#pragma once

#include "foundation/clock.h"
#include "people/people.h"
#include "people/schema.h"
#include "reading/friends_reads.h"
#include "reading/ranked_reads.h"
#include "reading/reading_projection.h"
#include "reading/schema.h"
#include "storage/memory_store.h"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace footfall::reading {

inline constexpr SipKey ranked_secret{9, 10};
inline constexpr std::size_t actors_count = 30;
inline constexpr std::uint64_t least_of_all = 3;

inline std::vector<const storage::Table*> ranked_tables() {
    std::vector<const storage::Table*> tables{people::all_tables.begin(), people::all_tables.end()};
    tables.insert(tables.end(), all_tables.begin(), all_tables.end());
    return tables;
}

inline std::string actor_named(std::uint64_t number) {
    return fmt::format("p{}", number);
}

inline std::string ranked_url(std::uint64_t number) {
    return fmt::format("https://site{}.example/{}", number % 3, number);
}

/// All of reading, over one store.
struct Program {
    Program(storage::Store& store, const Clock& clock)
        : people{*people::People::open(store, clock, {.secret = ranked_secret})},
          readership{store, clock, people->sharers(), {.secret = ranked_secret}},
          ranks{store, clock, {}},
          trends{store, clock, {.job = "reading"}},
          projection{readership, ranks, trends, ranked_secret},
          ranked{
              store, clock, people->sharers(), readership, ranks, trends, {.least = least_of_all}
          },
          friends{store, clock, readership, *people} {}

    std::unique_ptr<people::People> people;
    Readership readership;
    DayRanks ranks;
    rankings::Trends trends;
    ReadingProjection projection;
    RankedReads ranked;
    FriendsReads friends;
};

}  // namespace footfall::reading
