#pragma once

#include "events/verdict.h"
#include "foundation/clock.h"
#include "foundation/result.h"
#include "foundation/siphash.h"
#include "guard/rate.h"
#include "guard/repeat.h"
#include "guard/rules.h"
#include "guard/shared_rates.h"
#include "intake/arriving.h"
#include "intake/guard_marks.h"
#include "intake/id_filter.h"
#include "intake/kept_events.h"
#include "intake/young_events.h"
#include "journal/log.h"
#include "people/read_door.h"
#include "projecting/projection_host.h"
#include "runtime/lanes.h"
#include "runtime/memory_shares.h"
#include "storage/store.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace footfall::intake {

class JudgedWatch;

/// Of each lane, records before this were given to the projections of this process.
using FollowedEnds = std::array<std::atomic<std::uint64_t>, runtime::lane_count>;

/// What the judges of all lanes share. Owned by Intake; outlives them.
struct Context {
    storage::Store* store = nullptr;
    journal::Log* log = nullptr;
    /// Where events were logged before the deployment moved; null: nowhere else.
    journal::LogReader* earlier_log = nullptr;
    const Clock* clock = nullptr;
    SipKey secret;
    std::shared_ptr<const guard::RuleSet> rules;
    guard::RateState* rates = nullptr;
    guard::SharedRates* shared_rates = nullptr;  ///< Null: no other process counts.
    /// Who is told of what is judged here; null: nobody, or they read it in the log.
    projecting::ProjectionHost* host = nullptr;
    /// For a filter of the ids of all that is kept (KnownIds); 0: the store is asked for each.
    std::size_t id_filter_bytes = 0;
    std::size_t lane_memory_bytes = 1 << 20;  ///< For what one lane's rules remember of repeats.
    /// Says what all lanes may remember together, in place of that; null: nobody does.
    runtime::MemoryShare* repeats_memory = nullptr;
    /// On a cluster: what others judged; null: nobody here wants to know.
    const JudgedWatch* watch = nullptr;
    /// Rows of ids and repeats stand for an event until it arrived so long ago, and no longer:
    /// where the log is not in the store. Absent: as long as the log has the event.
    std::optional<std::chrono::seconds> keep_rows = {};
    /// Whom to ask of events that are older than ids are known (KnownSince).
    std::vector<KeptEvents*> kept_events = {};
    /// Nobody is told the address of an event that arrived longer ago; absent: everybody is.
    std::optional<std::chrono::seconds> keep_addresses = {};
    /// What happens to reads; null: nothing, they are as other events.
    const people::ReadDoor* reads = nullptr;
};

/// What became of some events of a lane. Those that its log has already, by their source, are not
/// among the duplicates.
struct TakenEvents {
    std::size_t count = 0;                 ///< So many of those given are done.
    std::uint64_t duplicates = 0;          ///< Of them, were there already.
    std::uint64_t refused = 0;             ///< Of them, do not count.
    storage::CommitPosition position = 0;  ///< When this is durable in the log they are.
};

/// What became of events since the program started; those that were read again are not among them.
struct JudgedFigures {
    std::uint64_t counted = 0;
    std::map<std::string, std::uint64_t, std::less<>> refused;  ///< By reason.
    std::uint64_t duplicates = 0;

    void add(const JudgedFigures& other) {
        counted += other.counted;
        for (const auto& [reason, events] : other.refused) {
            refused[reason] += events;
        }
        duplicates += other.duplicates;
    }
};

/// One lane: judges its events in order, appends them to its log, and submits the rows that follow
/// so that the store has none without its record: behind it where the log is in the store, else
/// once it is durable.
///
/// All of it under the lane's mutex, none of it waits. What has to be asked of the store is asked
/// before, by Intake: between begin_asking() and end_asking() the lane remembers what the answers
/// may have missed.
class LaneJudge {
public:
    /// As of lane_checkpoint_table.
    struct Checkpoint {
        std::uint64_t offset = 0;
        GuardMark guard;
        std::uint32_t rules_version = 0;  ///< In force, as far as the lane was told; 0: none.
        /// Events of the log of events before this are among the records before `offset`, or were
        /// there already.
        std::uint64_t next_source = 0;

        friend bool operator==(const Checkpoint&, const Checkpoint&) = default;
    };

    LaneJudge(const Context& context, std::uint32_t lane);

    /// Answers a number to be given back to end_asking().
    std::uint64_t begin_asking();
    void end_asking(std::uint64_t number);

    /// Fetches into the cache what must_ask_times() will look at: for all events of a batch before
    /// it is asked of the first.
    void prefetch(const Arriving& arriving) const { repeats_.prefetch(arriving.keys.repeat); }

    /// Whether the rules will want to know when the key of this event was counted, as far as can be
    /// said now.
    bool must_ask_times(const Arriving& arriving) const;

    /// Takes the first of these events, in order, until one needs an answer that it does not have
    /// (then `count` is less than were given). On failure nothing was taken.
    Result<TakenEvents> judge(std::span<Arriving* const> arriving);

    /// Begins anew, from a checkpoint: the records from its mark on are given to remember(), those
    /// whose rows may not be stored to submit_again() as well.
    void begin(const Checkpoint& checkpoint);

    /// Appends what the rules remember of the lane for the next begin_with(). Nothing that was
    /// appended may be missing in the store or the log.
    void append_memory(std::string& bytes) const;

    /// Begins anew with what append_memory() appended when the lane ended at this checkpoint, and
    /// takes it off the front of `memory`; so no record is given to remember(). False: these are
    /// other bytes, and it has not begun.
    bool begin_with(const Checkpoint& checkpoint, std::string_view& memory);

    void remember(
        std::uint64_t offset, const events::JudgedEvent& judged, const events::EventKeys& keys
    );

    void remember(const events::Control& control);

    /// Tells the lane which rules are in force, if they are others than before: a record of its
    /// log. Answers where.
    Result<storage::CommitPosition> tell_rules();

    /// Takes a control that was said from outside: a record of its log. Answers where; one that was
    /// taken before, by its source, is not taken again. On failure nothing was taken; `unavailable`
    /// when what the log of events has before it was not.
    Result<storage::CommitPosition> take(const events::Control& control);

    /// `known_by`: what its row in event_by_id is to name it by, if it is to have one.
    Result<storage::CommitPosition> submit_again(
        std::uint64_t offset,
        const events::JudgedEvent& judged,
        const events::EventKeys& keys,
        events::IdKeys known_by
    );

    /// Records were lost, or the lane is another's: takes nothing until begin().
    void lose() { lost_ = true; }

    /// How many events there are whose rows may not be durable.
    std::size_t unstored() { return young_.unstored(*context_->store); }

    /// Submits rows that became possible meanwhile; what there is no room for, later.
    void submit_possible() { std::ignore = submit_owed(); }

    /// When this is durable in the log, all records are.
    storage::CommitPosition last_records() const {
        return owed_.empty() ? told_at_ : std::max(told_at_, owed_.back().records);
    }

    /// Submits the rows of all records, which must be durable. When what it answers is durable, all
    /// that follows from the lane's records is.
    Result<storage::CommitPosition> submit_all();

    /// From where on the lane's events of the log of events are to be taken.
    std::uint64_t next_source() const { return next_source_; }

    /// Those before are among the records that were read again.
    void begin_sources_at(std::uint64_t source) { next_source_ = source; }

    const JudgedFigures& figures() const { return figures_; }

    /// Records before this, and all rows that follow from them, are durable.
    std::uint64_t stored_before() const { return written_.offset; }

    /// What the lane's checkpoint may say from now on; absent: what it says already. Submits rows
    /// that became possible meanwhile.
    std::optional<Checkpoint> checkpoint();

    /// Adds the ids of all events from now on to this filter, too, and at once those that a read of
    /// the store might not find yet.
    void begin_adding_to(std::shared_ptr<IdFilter> filter);

    void end_adding_to(const IdFilter& filter);

    /// Keeps what the rules remember within the memory that there is for it now.
    void follow_memory();

private:
    struct Chunk;

    /// Rows whose records are not durable yet, or for which the store had no room; and what other
    /// processes are told then.
    struct OwedRows {
        storage::CommitPosition records = 0;  ///< Where they were appended.
        std::size_t events = 0;
        storage::Batch rows = {};
        std::vector<guard::RateNote> notes = {};
    };

    Result<void> check_taking() const;
    Result<void> append(const events::Control& control);
    std::optional<events::Verdict> judge(
        const Arriving& arriving, const Chunk& chunk, const EarlierEvent* same_id
    ) const;
    std::optional<guard::NearestCounted> nearest_counted(const Arriving& arriving) const;
    const EarlierEvent* earlier(const Arriving& arriving, EarlierEvent& young) const;
    bool is_duplicate(
        const Arriving& arriving, const EarlierEvent* same_id, events::IdKeys known_by
    ) const;
    bool judge_next(Arriving& arriving, Chunk& chunk);
    Result<void> commit(Chunk& chunk);
    void tell_projections(const projecting::Told& told) const;
    void add_rows(
        std::uint64_t offset,
        const events::JudgedEvent& judged,
        const events::EventKeys& keys,
        events::IdKeys known_by,
        storage::Batch& rows
    ) const;
    Result<void> submit_owed();
    std::size_t repeats_bytes() const;
    void remember_repeat(
        std::uint64_t offset, const events::JudgedEvent& judged, const events::EventKeys& keys
    );
    void add_id(std::uint64_t identity) const;
    void note_figures(const Chunk& chunk);
    void note_undone_rates(const Chunk& chunk) const;
    void note_rate(std::uint64_t offset, const events::JudgedEvent& judged);
    guard::EventPlace place_of(std::uint64_t offset, const events::JudgedEvent& judged) const;
    void add_rate_notes(
        std::uint64_t offset, const events::JudgedEvent& judged, std::vector<guard::RateNote>& notes
    ) const;
    void tell_rates(std::span<const guard::RateNote> notes) const;
    bool repeats_count(const events::JudgedEvent& judged, const events::EventKeys& keys) const;

    const Context* context_;
    std::uint32_t lane_;
    guard::RepeatJudge repeats_;
    YoungEvents young_;
    std::vector<std::shared_ptr<IdFilter>> id_filters_;
    std::vector<std::uint64_t> asking_;  ///< Numbers that begin_asking() gave.
    std::deque<OwedRows> owed_;          ///< In the order of their records.
    GuardMarks marks_;
    Checkpoint written_;
    std::uint32_t told_version_ = 0;  ///< Of the latest rules in force among the lane's records.
    storage::CommitPosition told_at_ = 0;  ///< Where the latest control was appended.
    std::uint64_t next_source_ = 0;        ///< What the log of events has before this is taken.
    JudgedFigures figures_;
    storage::CommitPosition last_rows_ = 0;  ///< Where rows were submitted last.
    bool lost_ = true;                       ///< Or not begun.
};

/// The judges of all lanes, each behind its lane's mutex.
using JudgeLanes = runtime::Lanes<std::unique_ptr<LaneJudge>>;

/// The id of a record that has none from its sender, or another's: "<log>-<lane>-<offset>".
std::string position_id(std::uint64_t log, std::uint32_t lane, std::uint64_t offset);

}  // namespace footfall::intake
