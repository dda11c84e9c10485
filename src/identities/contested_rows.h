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
    /// The last link that was looked at, after which the next page begins; absent: there are no
    /// more.
    std::optional<FactId> next;
};

/// Which links a page is to have. A plain value.
struct ContestedAsked {
    std::optional<FactId> after = {};         ///< Only those behind this one.
    std::optional<Objection> objection = {};  ///< Only those to which this was the objection.
    std::size_t most = 100;
    std::size_t looked_at_most = 10'000;  ///< A page has fewer where so many others are between.
};

/// A read for each sixteenth of all facts that it goes through, and for each thousand links.
Result<ContestedPage> contested_after(storage::Store& store, const ContestedAsked& asked);

void add_contested(const Contested& contested, storage::Batch& batch);

void erase_contested(const FactId& link, storage::Batch& batch);

}  // namespace footfall::identities
