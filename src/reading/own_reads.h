#pragma once

#include "foundation/clock.h"
#include "foundation/result.h"
#include "people/former_readers.h"
#include "people/people.h"
#include "reading/readership.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace footfall::reading {

/// An article that others may see a person has read.
struct OwnRead {
    std::string url;
    Instant latest{};  ///< The quarter-hour of the latest read.
    Instant until{};   ///< Nobody sees it from then on.
};

/// As whom facts know a person.
struct Readers {
    std::vector<people::FormerReader> formers = {};  ///< The oldest first.
    std::optional<std::uint64_t> present = {};       ///< The number; absent: not asked for.
};

/// Of who is off there are none.
Readers readers_of(const people::Sharers& sharers, const std::string& actor);

/// Of so many facts a list is made at most: the latest of each of the readers.
inline constexpr std::size_t own_facts_max = 100'000;

/// What is left of what they read, the latest first, then by URL, with what this process took in a
/// moment ago; others write theirs within a second. Waits for the store, and writes nothing.
Result<std::vector<OwnRead>> own_reads(Readership& readership, const Readers& readers);

/// From when it is answered no question to this process shows what was taken back; others hear of
/// it within a second. Answers how many articles that were. Waits for the store. Fails as
/// people::People::say() does, or, when it is taken back already, as own_reads().
Result<std::size_t> take_back(
    Readership& readership,
    people::People& people,
    const std::string& actor,
    const people::TakeBack& what
);

}  // namespace footfall::reading
