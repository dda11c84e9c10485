#pragma once

#include "erasure/ledger.h"
#include "events/erased.h"
#include "foundation/clock.h"
#include "foundation/result.h"
#include "identities/fact.h"
#include "identities/fact_rows.h"
#include "storage/batch.h"
#include "storage/store.h"

#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

/// Facts without ids that are erased: as if these had never been said, and everything else had.
namespace footfall::identities {

using events::IsErased;

IsErased erased_by(const erasure::Ledger& ledger);

/// Whether a fact names somebody of whom what was recorded then is dropped.
bool names_erased(const Fact& fact, const IsErased& is_erased);

/// What a fact is without erased ids. A fact's name follows from its ids, so what is left has
/// another one; decisions about it are to follow (Renamed).
enum class Left : std::uint8_t {
    all,   ///< It names none.
    some,  ///< The fact was changed, and is sealed.
    none   ///< Nothing is said any more: all its ids are gone, or one side of a parting.
};

/// Takes erased ids out of a fact. Of accept, reject, revoke what they are `about` stays as it is.
Left leave(Fact& fact, const IsErased& is_erased);

/// What is to be written of a fact that a record of the log says. False: nothing. A decision is not
/// told without them, as it is about a fact whose name is not known here: its row has seen to it.
bool say_without_erased(const erasure::Ledger& ledger, Fact& fact);

/// By the name that a fact had, the one that it has; absent: it is gone.
using Renamed = std::map<FactId, std::optional<FactId>>;

/// The same, and `about` follows what was renamed; what it is about is renamed before.
Left leave(Fact& fact, const IsErased& is_erased, const Renamed& renamed);

/// All of these as if erased ids had never been: what rows are to say after an erasure. Pure.
std::vector<Fact> without(std::vector<Fact> facts, const IsErased& is_erased);

/// What an erasure has written. A plain value.
struct Unsaid {
    std::set<Id> ids;       ///< Erased ids of which a fact was found.
    std::set<Id> others;    ///< Those that the facts named beside them.
    std::size_t facts = 0;  ///< Rows of facts that went, or were changed.
};

/// Rewrites the rows of all facts that stand under these ids, or under an id that such a fact
/// names, so that none names an erased one. Rows of profiles are still to follow. Killed in the
/// middle it is to be called again. Memory: decisions about the facts of these ids, and 64 bytes a
/// fact of theirs. Blocks.
Result<Unsaid> unsay(storage::Store& store, const IsErased& is_erased, std::span<const Id> ids);

}  // namespace footfall::identities
