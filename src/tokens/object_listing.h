#pragma once

#include "foundation/result.h"
#include "storage/store.h"
#include "tokens/token_counters.h"

#include <cstddef>
#include <cstdint>
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
    bool more = false;  ///< Objects with later names follow.
};

/// The objects with the highest counts.
struct LargestObjects {
    std::vector<ListedObject> objects;  ///< Highest count first, then by name.
    /// False: more objects had to be looked at than allowed, so a larger one may be missing.
    bool complete = true;
};

/// Lists every stored object of a counter, from the directory that token_object_table is; counts
/// come from `counters`. Both block on the store: for a thread that may wait. Objects without live
/// tokens are left out.

/// Objects whose names come after `after` (empty: from the first), at most `limit`.
Result<ObjectsByName> list_by_name(
    storage::Store& store,
    TokenCounters& counters,
    const CounterConfig& config,
    const std::string& after,
    std::size_t limit
);

/// The `limit` largest objects. Looks at the size classes from the highest down and stops as soon
/// as no object of a lower class can be larger than those found, or after `examined_max` objects.
Result<LargestObjects> list_largest(
    storage::Store& store,
    TokenCounters& counters,
    const CounterConfig& config,
    std::size_t limit,
    std::size_t examined_max = 20'000
);

}  // namespace footfall::tokens
