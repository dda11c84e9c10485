#pragma once

#include "by_profile/lanes_walk.h"
#include "foundation/clock.h"
#include "foundation/result.h"
#include "intake/intake.h"
#include "segment_events/counted_terms.h"
#include "segment_events/did_rows.h"
#include "segment_events/segment_events.h"
#include "storage/store.h"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace footfall::segment_events {

/// Counts for a term that came into force what happened before: goes over the judged log once, from
/// where what happened may still count. Begun once every process counts the term, so that each
/// event is counted here, there or twice, which is once: its marks are the same.
///
/// Its rows have writers of their own, beside those of SegmentEvents, and are written by one thread
/// at a time. What is left unfinished is begun again from the start, and changes nothing twice.
/// All given must outlive it. Cost: every record of the log is read, and those that may be wanted
/// are decoded.
class Filling {
public:
    Filling(
        intake::Intake& intake,
        storage::Store& store,
        const segment_rules::EventTerm& term,
        SegmentEvents::NoteIds note,
        Instant now,
        KnownAs known_as = {}
    );

    /// Reads some more, and writes what it found when that is much. False: all was read, and what
    /// was found is durable. Blocks.
    Result<bool> step();

    /// What happened from this instant on was all there to be counted; absent: everything.
    std::optional<Instant> since() const { return walk_.since(); }

    std::uint64_t looked_at() const { return walk_.looked_at(); }

private:
    void take(const events::JudgedEvent& judged, const by_profile::LanesWalk::At& at);
    Result<void> write();

    storage::Store* store_;
    const CountedTerms terms_;  ///< The one.
    const CountedTerms::Counted counted_;
    SegmentEvents::NoteIds note_;
    KnownAs known_as_;
    const Instant from_;
    by_profile::LanesWalk walk_;
    Marks found_;
    std::size_t marks_ = 0;  ///< In found_.
};

}  // namespace footfall::segment_events
