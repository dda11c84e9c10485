#pragma once

#include "foundation/result.h"
#include "people/sharers.h"
#include "reading/friend_set.h"
#include "reading/readership.h"

#include <string>
#include <vector>

namespace footfall::reading {

/// Everybody who shares that they read a URL within the last days, each once, ascending.
struct AllReaders {
    std::vector<ReaderId> ids;
    bool provisional = false;  ///< What waits in another process is missing.
};

/// As Readership::latest_reads(): who has taken it back, or is off, is not among them, and to whom
/// the others appear says nothing of how many they are. `url`: its canonical form. Waits.
Result<AllReaders> all_readers(
    Readership& readership, const people::Sharers& sharers, const std::string& url
);

}  // namespace footfall::reading
