#pragma once

#include "erasure/ledger.h"
#include "foundation/result.h"
#include "identities/crowd.h"
#include "identities/fact_rows.h"
#include "identities/profile_rows.h"
#include "identities/resolution.h"
#include "storage/store.h"

#include <cstddef>
#include <set>
#include <span>

namespace footfall::identities {

/// What is known of some profiles and of those beside them. A plain value.
struct Neighbourhood {
    Facts facts;            ///< All that name an open id or one beside, but for shared ids.
    std::set<Id> open;      ///< Ids whose profiles are computed: whole profiles.
    std::set<Id> beside;    ///< Those of the profiles that links name with an open id.
    Index index;            ///< What stands of all of them.
    StoredProfiles stored;  ///< The profiles that the index leads to.
    Surroundings around;    ///< All others that the facts name.
    Resolution resolution;  ///< Of the profiles of open ids, and of those beside as they stand.
    std::size_t links = 0;  ///< That were looked at to know this.
    /// Whether profiles beside came out otherwise than they stood, and were opened.
    bool went_on = false;
};

/// How far is looked. A plain value.
struct Sight {
    std::size_t facts_max = 20'000;  ///< More that must be looked at are not.
    Instant now = Instant::min();    ///< What has ended by then does not count.
    /// Nor are more bytes of them: to settle takes two or three times as much.
    std::size_t bytes_max = std::size_t{192} << 20;
    /// Whether an id of which a row says that it is shared is taken for so. It stays so whatever is
    /// said but a lift; not when guards change.
    bool trusts_shared = true;
    /// Of which it is not: those that a lift is about, and who wrote rows of an id that others
    /// found to be shared meanwhile looks at it again.
    std::set<Id> doubted = {};
    /// Beside which nobody need look to find that it is too much. Who finds so, and looked from one
    /// id alone, adds it. Null: all is looked at.
    Crowd* crowd = nullptr;
    /// Facts are taken as if whom it drops had never been said, whether rows say so yet or not:
    /// another region rewrites its own, and what it took out of them comes here late and in any
    /// order. Null: nobody was erased.
    const erasure::Ledger* ledger = nullptr;
};

/// Works out the profiles of these ids as they follow from facts, and from nothing else, of which
/// it reads as few as it takes. `trial` are facts that are nowhere.
///
/// Rows of profiles say which ids to look at; what they say is then held to the facts. A profile
/// stands as it should (is *sound*) if the links inside it, taken in canonical order, unite just
/// its ids, and if each link that leads out of it is objected to, both sides as they stood at its
/// place in the order. Where each profile is sound, all are what resolve() makes of all facts: by
/// the order, each link is decided as there, since those before it were. So it is enough to
/// compute the profiles that a fact names together with those to which links lead from them, and to
/// open one of these only if it comes out other than it stands.
///
/// Of an id all places are read that `levels` says.
///
/// Failures: `conflict` (more facts than `facts_max`), the store's. Blocks: some rounds of reads,
/// and as many more as profiles are opened one behind the other.
Result<Neighbourhood> look_around(
    storage::Store& store,
    const KnownLevels& levels,
    const Guards& guards,
    const Sight& sight,
    std::span<const Id> ids,
    std::span<const Fact> trial = {}
);

}  // namespace footfall::identities
