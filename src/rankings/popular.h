#pragma once

#include "foundation/result.h"
#include "rankings/rank_rows.h"
#include "rankings/windows.h"
#include "storage/store.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::rankings {

struct PopularQuestion {
    RankedBy by;
    Days days;  ///< Those the window touches (days_of).
    std::size_t limit = 10;
    std::uint64_t least = 1;        ///< Nobody is shown with fewer; from 1 on.
    std::size_t per_site = 0;       ///< Of one site at most so many; 0: any number.
    std::size_t asked_most = 1000;  ///< Objects whose figures are asked.
    /// PopularList::highest_class of a moment ago. Spares looking for it; a wrong one costs time;
    /// below 0: not known.
    std::optional<int> highest_class = {};
};

struct PopularCandidate {
    std::string_view object;
    std::size_t lane = 0;
};

struct PopularSources {
    /// The exact number of each in the window, in order. Not above the sum of its numbers of the
    /// days that the window touches, each of which is that of its rows: true of events, and of
    /// people as far as estimates of their union agree with those of days.
    std::function<Result<std::vector<std::uint64_t>>(std::span<const PopularCandidate>)> figures;
    /// The site of an object. Asked if `per_site` is above 0.
    std::function<std::string(std::string_view object)> site = {};
};

struct PopularObject {
    std::string object;
    std::size_t lane = 0;
    std::uint64_t number = 0;
};

struct PopularList {
    std::vector<PopularObject> objects;  ///< The largest first; equal ones by name.
    /// False: too many are alike in size to ask for all. Those shown are the best of those asked.
    bool complete = true;
    int highest_class = -1;  ///< In which objects were looked for first; -1: there are none.
    std::size_t asked = 0;   ///< How many objects.
};

/// The most popular objects of a window, exactly as if all had been asked, by the threshold
/// algorithm (Fagin, Lotem, Naor, "Optimal aggregation algorithms for middleware", PODS 2001) over
/// size classes: from the largest class down until no object that was not seen can have what it
/// takes. The proof stands in popular.cpp.
///
/// Cost: 64 lanes of a day and class are one read where the store can do that, and four days are
/// read side by side; five or six rounds to find the largest class, then about four to walk, each
/// of as many reads as the window has days. Memory: `asked_most` names, and pages of at most 8 MiB.
///
/// Waits for the store: not on an io thread. `cancelled` once `stop` is requested; else fails as
/// the store and `sources.figures` do. Thread-safe.
Result<PopularList> popular(
    storage::Store& store,
    const PopularQuestion& question,
    const PopularSources& sources,
    const std::stop_token& stop = {}
);

}  // namespace footfall::rankings
