#pragma once

#include "events/verdict.h"
#include "foundation/clock.h"
#include "foundation/result.h"
#include "identities/resolution.h"
#include "journal/log.h"
#include "segment_events/counted_terms.h"
#include "segment_events/did_rows.h"
#include "segment_rules/latest_events.h"
#include "storage/store.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace footfall::segments {

/// Counts again, from the judged log, the latest events of each id that rules in force ask for, and
/// holds the table segment_did to that: by the definition of a term, sharing with who counts them
/// only what a single event is of. Events that no rule asks for any more are left out, as rows may
/// go then; so are those of records that are in the log no more, of logs from before the deployment
/// moved, and of ids that were erased once.
///
/// Ids are compared as the newest guards of identities write them: rows from before others held may
/// have them as they were sent.
///
/// Memory: twice an entry for each id and term, with as many events as the term asks for. Of one
/// thread.
class DidRecount {
public:
    /// Reads the rules in force, and the guards. Blocks.
    static Result<std::unique_ptr<DidRecount>> begin(storage::Store& store, Instant now);

    /// Records of this lane follow, all from its first one on. `begins_later`: there were some
    /// before it.
    void begin_lane(std::uint32_t lane, bool begins_later);

    /// A record of the lane; null: nothing that happened.
    void add(std::uint64_t offset, const events::JudgedEvent* judged);

    /// Those records of the lane that have to be in rows are before this one; 0: none has to be.
    std::uint64_t wanted_end() const { return lane_->wanted_end; }

    std::uint64_t events() const { return events_; }  ///< That terms count.

    struct Asked {
        journal::LogId log{};
        bool alone = false;  ///< Else rows may have later records than those that were added.
        std::function<Instant()> now;
        std::function<bool(const identities::Id&)> was_erased;
        std::size_t differences_max = 100;
    };

    /// `differences` are texts for people, at most some; `count` all.
    struct Found {
        std::uint64_t compared = 0;  ///< Ids, for each term once.
        std::uint64_t count = 0;
        std::vector<std::string> differences = {};
    };

    /// Holds the rows to what was added. Blocks: all of the table is read.
    Result<Found> compare(storage::Store& store, const Asked& asked);

private:
    using Key = std::pair<identities::Id, std::uint64_t>;  ///< And the hash of a term.
    using Counted = std::map<Key, segment_rules::LatestEvents>;

    /// The records of a lane that were added.
    struct Lane {
        bool is_whole = true;                ///< Nothing was before them.
        std::optional<std::uint64_t> first;  ///< Absent: there are none.
        std::uint64_t end = 0;               ///< Behind the last one.
        std::uint64_t wanted_end = 0;
    };

    enum class Place { added, not_there_any_more, later };

    DidRecount(
        segment_events::CountedTerms terms,
        std::shared_ptr<const identities::Guards> guards,
        Instant now
    )
        : terms_{std::move(terms)}, guards_{std::move(guards)}, now_{now} {}

    Result<void> read_rows(storage::Store& store, const Asked& asked);
    Place place_of(const segment_rules::EventMark& mark, bool alone) const;
    std::set<segment_rules::EventMark> living(const Counted& all, const Key& key, Instant now)
        const;
    std::string text_of(const Key& key, const segment_rules::EventMark& mark, bool is_in_rows)
        const;

    const segment_events::CountedTerms terms_;
    const std::shared_ptr<const identities::Guards> guards_;
    const Instant now_;
    std::map<std::uint32_t, Lane> lanes_;
    Lane* lane_ = nullptr;  ///< Of lanes_.
    std::uint32_t lane_number_ = 0;
    std::uint64_t events_ = 0;
    Counted said_;    ///< By the log.
    Counted stored_;  ///< By rows.
};

}  // namespace footfall::segments
