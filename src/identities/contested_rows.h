#pragma once

#include "foundation/result.h"
#include "identities/resolution.h"
#include "storage/batch.h"
#include "storage/store.h"

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

/// Links that wait, for people to decide about. Reads block.
namespace footfall::identities {

using ContestedLinks = std::map<FactId, Contested>;

/// Of those of these links that have rows.
Result<ContestedLinks> read_contested(storage::Store& store, const std::set<FactId>& links);

struct ContestedPage {
    std::vector<Contested> links;  ///< By their facts.
    /// The last of them, after which the next page begins; absent: there are no more.
    std::optional<FactId> next;
};

/// Those that follow after this one, at most so many. A read for each sixteenth of all facts that
/// it goes through.
Result<ContestedPage> contested_after(
    storage::Store& store, const std::optional<FactId>& after, std::size_t most
);

void add_contested(const Contested& contested, storage::Batch& batch);

void erase_contested(const FactId& link, storage::Batch& batch);

}  // namespace footfall::identities
