#pragma once

#include "foundation/result.h"
#include "storage/store.h"
#include "tokens/token_counters.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace footfall::tokens {

/// An object and its count.
struct ListedObject {
    std::string object;
    Count count;
};

/// A part of all objects of a counter, by name.
struct ObjectsByName {
    std::vector<ListedObject> objects;
    /// Where to go on: the last name that was looked at, of an object that is listed or of one that
    /// has no live tokens. Absent: there are no later ones.
    std::optional<std::string> next;
};

/// The objects with the highest counts.
struct LargestObjects {
    std::vector<ListedObject> objects;  ///< Highest count first, then by name.
    /// False: more rows had to be looked at than allowed, so a larger one may be missing.
    bool complete = true;
};

/// Lists every stored object of a counter, from the directory that token_object_table is; counts
/// come from `counters`. Both block on the store: for a thread that may wait. Objects without live
/// tokens are left out; their rows are looked at all the same, and count as such. `cancelled` soon
/// after `stop` is asked to.

/// Objects whose names come after `after` (empty: from the first), at most `limit`. Looks at no
/// more than `rows_max` rows, so that a part may have few objects, or none, where others follow.
Result<ObjectsByName> list_by_name(
    storage::Store& store,
    TokenCounters& counters,
    const CounterConfig& config,
    const std::string& after,
    std::size_t limit,
    const std::stop_token& stop = {},
    std::size_t rows_max = 2000
);

/// The `limit` largest objects. Looks at the size classes from the highest down and stops as soon
/// as no object of a lower class can be larger than those found, or after `rows_max` rows.
Result<LargestObjects> list_largest(
    storage::Store& store,
    TokenCounters& counters,
    const CounterConfig& config,
    std::size_t limit,
    const std::stop_token& stop = {},
    std::size_t rows_max = 20'000
);

}  // namespace footfall::tokens
