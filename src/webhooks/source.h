#pragma once

#include "foundation/result.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace footfall::webhooks {

/// A change of a subject, as a receiver is told it.
struct Change {
    std::uint64_t number = 0;  ///< Rises within the subject, from 1; each names one change.
    std::string json = {};     ///< An object, with an id that is the change's own.
};

/// Whose changes are sent: whoever writes them down. Thread-safe. Blocks.
class Source {
public:
    Source() = default;
    Source(const Source&) = delete;
    Source& operator=(const Source&) = delete;
    virtual ~Source() = default;

    /// The next changes of a subject, at most `limit`, with a number above `after` and, unless
    /// `filter` is empty, of what it names; by number.
    virtual Result<std::vector<Change>> changes(
        const std::string& subject,
        const std::string& filter,
        std::uint64_t after,
        std::size_t limit
    ) = 0;
};

}  // namespace footfall::webhooks
