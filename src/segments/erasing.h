#pragma once

#include "erasure/ledger.h"
#include "foundation/clock.h"
#include "foundation/result.h"
#include "segments/segments.h"
#include "storage/batch.h"
#include "storage/rows.h"
#include "storage/store.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace footfall::segments {

/// An id that was erased is told to have left, with its name, for so long at least: who follows
/// changes as they come takes it out of what it has by that.
inline constexpr std::chrono::seconds erased_told_for{5};

/// Takes whoever is erased out of all rows of segments, knowing them by the ledger alone: members
/// that were recorded by then, what rules counted of them by then, and notes of them, at once;
/// then, where segments are derived, the ids are looked at, so that whoever follows is told that
/// they left; then **changes lose the id**, and keep their numbers: Change::is_erased(). An id that
/// is a member anew by then keeps its changes, since it was never seen to have left.
///
/// Used by one thread. All given must outlive it. Blocks. Cost of a sweep: reading all members,
/// what was told of ids, and changes.
class Erasing {
public:
    /// Who is sent changes of a segment, and may not have them all.
    struct Hearer {
        std::string network;      ///< Of whose ids; empty: of all.
        std::uint64_t after = 0;  ///< It has what it is sent up to this change.
    };

    using Hearers = std::map<std::int64_t, std::vector<Hearer>>;  ///< By the segment's number.
    using ReadHearers = std::function<Result<Hearers>()>;

    Erasing(
        storage::Store& store,
        const erasure::Ledger& ledger,
        Segments& segments,
        const Clock& clock,
        ReadHearers read_hearers
    )
        : store_{&store},
          ledger_{&ledger},
          segments_{&segments},
          clock_{&clock},
          read_hearers_{std::move(read_hearers)} {}

    /// `open` until who is to hear of it has heard; `elsewhere` where segments are derived by
    /// another process. `cancelled`: it was stopped; else the store's failures.
    Result<erasure::Swept> sweep(const std::stop_token& stop);

private:
    using Id = identities::Id;

    struct Asked {
        Instant erased{};  ///< As the ledger said.
        Instant at{};      ///< When whoever derives was asked to look at it.
    };

    /// Changes of a segment, while they are walked through in their order.
    struct Walk {
        std::int64_t segment = 0;
        std::vector<Hearer> hearers = {};
        std::map<Id, Change> joined = {};  ///< Of ids that are erased, and did not leave yet.
        std::set<Id> is_new = {};          ///< Ids that were erased and joined again since.
        storage::Batch batch = {};
    };

    template <class Take>
    Result<void> for_rows(
        const storage::Table& table, const std::stop_token& stop, const Take& take
    );

    Result<void> erase_members(const std::stop_token& stop);
    Result<void> erase_segments_of_ids(const std::stop_token& stop);
    Result<void> erase_what_they_did(const std::stop_token& stop);
    Result<void> find_told(const std::stop_token& stop);
    Result<void> erase_notes(const std::stop_token& stop);
    Result<void> erase_from_changes(const std::stop_token& stop);
    Result<void> walk_over(const Change& change, Walk& walk);
    Result<void> take_id_out(Change change, Walk& walk);
    bool is_told(const Change& change, const Walk& walk) const;
    void find(const Id& id);
    void look();
    bool is_looked_at(const Id& id, Instant as_of) const;

    storage::Store* store_;
    const erasure::Ledger* ledger_;
    Segments* segments_;
    const Clock* clock_;
    const ReadHearers read_hearers_;

    // Of a sweep.
    std::set<Id> found_;  ///< Ids that are erased, in rows that a look may change.
    bool is_open_ = false;

    // Between sweeps.
    std::map<Id, Asked> asked_;
    /// Rows of one side of a membership alone: the other may be being written.
    std::set<std::pair<std::int64_t, Id>> one_sided_;
};

}  // namespace footfall::segments
