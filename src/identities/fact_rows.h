#pragma once

#include "events/erased.h"
#include "foundation/result.h"
#include "identities/fact.h"
#include "storage/batch.h"
#include "storage/store.h"

#include <cstddef>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::identities {

/// By their ids.
using Facts = std::map<FactId, Fact>;

/// A copy of each, as resolve() takes them.
std::vector<Fact> list_of(const Facts& facts);

/// What is to be read of an id.
struct AskedId {
    Id id;
    /// Where links name it with more others, no more is read than tells so.
    std::size_t enough_others = std::numeric_limits<std::size_t>::max();
    /// The same of one that was lifted.
    std::size_t enough_if_lifted = std::numeric_limits<std::size_t>::max();
};

/// Whether a lift of the id that is among these facts holds.
bool is_lifted(const Facts& facts, const Id& id);

/// `conflict`: more facts than that are to be looked at.
std::unexpected<Error> too_many_facts(std::size_t most);

/// How much may be read. A plain value.
struct FactsRoom {
    std::size_t facts_max = 0;
    std::size_t bytes_max = std::numeric_limits<std::size_t>::max();
    std::size_t bytes = 0;  ///< That were read, as they are in memory.
};

/// Adds the facts that stand under these ids, of each what all lanes were told; with `is_erased`,
/// what is left of each row without those it drops, as where they are taken out of rows (unsay()).
/// Failures: `conflict` where `facts` would be more than there is room for; `corrupt`. Blocks: the
/// ids are asked side by side, and a page of 64 KiB of each of 64 is in memory.
Result<void> read_facts(
    storage::Store& store,
    std::span<const AskedId> ids,
    FactsRoom& room,
    Facts& facts,
    const events::IsErased* is_erased = nullptr
);

/// The same of at most that many.
Result<void> read_facts(
    storage::Store& store, std::span<const AskedId> ids, std::size_t most, Facts& facts
);

/// The same of what was recorded until then; others count among the `most`, too.
Result<void> read_facts_until(
    storage::Store& store,
    std::span<const AskedId> ids,
    Instant until,
    std::size_t most,
    Facts& facts
);

/// A fact as a row has it. `corrupt`.
Result<Fact> read_row(const storage::Rows& rows, std::size_t row);

/// Calls `take` with the facts of this id as lanes were told them: a page of 64 KiB, and then the
/// next. Failures: what `take` answers; `corrupt`. Blocks.
Result<void> for_facts_of(
    storage::Store& store,
    const Id& id,
    const std::function<Result<void>(std::span<const Fact> facts)>& take
);

/// Calls `take` with the ids that links name with this one, itself among them: of a page of 64 KiB
/// of its facts, and then of the next, so some may come again. Failures: what `take` answers;
/// `corrupt`. Blocks.
Result<void> for_others_of(
    storage::Store& store,
    const Id& id,
    const std::function<Result<void>(const std::vector<Id>& others)>& take
);

/// Facts that hang together.
struct Component {
    Facts facts;
    std::set<Id> ids;  ///< All that they name.
};

/// Reads all facts that name one of these ids, or an id that such a fact names, and so on: what
/// verify holds profiles to, since it trusts no row of theirs. Failures as of read_facts(). Blocks:
/// a round of reads for each step from the ids.
Result<Component> read_component(storage::Store& store, std::span<const Id> ids, std::size_t most);

/// What all lanes were told of a fact that is stored under this id (holders_of); absent: nothing.
/// Blocks.
Result<std::optional<Fact>> read_fact(storage::Store& store, const Id& id, const FactId& fact);

/// A fact, and an id under which it is stored.
struct FactOf {
    Id holder;
    FactId fact{};
};

/// The same of many, in their order. Blocks once.
Result<std::vector<std::optional<Fact>>> read_each_fact(
    storage::Store& store, std::span<const FactOf> facts
);

/// Of these, as they are said now, whether all of it is in rows: each was told to some lane, as of
/// no later a `first` and no earlier a `last`. In their order. Blocks once.
Result<std::vector<bool>> are_in_rows(storage::Store& store, std::span<const Fact* const> facts);

/// A fact as a lane was told it.
struct ToldFact {
    std::string writer;  ///< projecting::writer_of().
    Fact fact;

    friend bool operator==(const ToldFact&, const ToldFact&) = default;
};

/// A row of identity_fact, and under which id it stands. `corrupt`: it is damaged, or of a newer
/// version.
struct FactRow {
    Id holder;
    ToldFact told;
};

Result<FactRow> read_fact_row(const storage::Rows& rows, std::size_t row);

/// Where a row of a fact is to be.
struct FactPlace {
    Id holder;
    FactId fact{};
    std::string writer;
};

/// Of each place what its row says; absent: there is none, or it is damaged. Blocks for a read.
Result<std::vector<std::optional<Fact>>> read_places(
    storage::Store& store, std::span<const FactPlace> places
);

/// Merges these with what their lanes were told before. Blocks for a read.
Result<void> merge_with_rows(storage::Store& store, std::vector<ToldFact>& told);

/// The fact, by itself; absent: nobody was told it. Blocks for two reads.
Result<std::optional<Fact>> find_fact(storage::Store& store, const FactId& fact);

/// Puts the rows of a fact: one under each of its holders_of(), and its anchor.
void add_rows(const ToldFact& told, storage::Batch& batch);

}  // namespace footfall::identities
