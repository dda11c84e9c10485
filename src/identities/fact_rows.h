#pragma once

#include "foundation/result.h"
#include "identities/fact.h"
#include "storage/batch.h"
#include "storage/store.h"

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::identities {

/// Facts that hang together, by their ids.
struct Component {
    std::map<FactId, Fact> facts;
    std::set<Id> ids;  ///< All that they name.
};

/// Reads all facts that name one of these ids, or an id that such a fact names, and so on; of each
/// what all lanes were told. Failures: `conflict` where they are more than `most`; `corrupt`.
/// Blocks: a round of reads for each step from the ids, and at most `most` facts and a page of 1
/// MiB are in memory.
Result<Component> read_component(storage::Store& store, std::span<const Id> ids, std::size_t most);

/// What all lanes were told of a fact that is stored under this id (holders_of); absent: nothing.
/// Blocks.
Result<std::optional<Fact>> read_fact(storage::Store& store, const Id& id, const FactId& fact);

/// A fact as a lane was told it.
struct ToldFact {
    std::string writer;  ///< projecting::writer_of().
    Fact fact;

    friend bool operator==(const ToldFact&, const ToldFact&) = default;
};

/// Merges these with what their lanes were told before. Blocks for a read.
Result<void> merge_with_rows(storage::Store& store, std::vector<ToldFact>& told);

/// The fact, by itself; absent: nobody was told it. Blocks for two reads.
Result<std::optional<Fact>> find_fact(storage::Store& store, const FactId& fact);

/// Puts the rows of a fact: one under each of its holders_of(), and its anchor.
void add_rows(const ToldFact& told, storage::Batch& batch);

}  // namespace footfall::identities
