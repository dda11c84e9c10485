#pragma once

#include "events/event_keys.h"
#include "journal/writer.h"

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

namespace footfall::intake {

/// The ids a collector took lately: until what it appended is judged and stored, which takes a
/// second or two, the store does not know them. A newer id may displace an older one: what is not
/// found here is not said to be new, and nothing is counted by it.
///
/// Thread-safe. 3 MiB; a look costs a miss of the cache.
class RecentIds {
public:
    /// Notes an event with an id that was appended at `position`. Whether the same had come before:
    /// in the same append, or in one that is durable by now.
    bool note(
        const events::EventKeys& keys,
        storage::CommitPosition position,
        const journal::Writer& writer
    );

private:
    static constexpr std::size_t places = std::size_t{1} << 17;

    struct Place {
        std::uint64_t identity = 0;  ///< 0: empty.
        std::uint64_t content = 0;
        storage::CommitPosition position = 0;
    };

    std::mutex mutex_;
    /// By the low bits of two keyed hashes: of the identity, and of what it says, so that two which
    /// share an id do not displace each other.
    std::vector<Place> places_{places};
};

}  // namespace footfall::intake
