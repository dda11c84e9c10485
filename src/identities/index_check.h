#pragma once

#include "foundation/result.h"
#include "identities/profile_rows.h"
#include "storage/store.h"

#include <string>
#include <vector>

/// Whether entries of the index stand where they are looked for: a part of row_check.h.
namespace footfall::identities {

/// Those of a page that may not. `there`: their ids, as they are found in all places.
std::vector<IndexRow> suspicious_places(
    const KnownLevels& levels, const std::vector<IndexRow>& rows, const Index& there
);

/// What is wrong with such an entry, a sentence each. What is not copied yet, or not erased yet, a
/// doubling explains; once readers may ask either of two places, both are to say the same. Blocks.
Result<std::vector<std::string>> place_differences(storage::Store& store, const IndexRow& row);

}  // namespace footfall::identities
