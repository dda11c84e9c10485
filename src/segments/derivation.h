#pragma once

#include "foundation/clock.h"
#include "foundation/result.h"
#include "identities/settling.h"
#include "runtime/memory_shares.h"
#include "segments/catalogue.h"
#include "segments/derived_rows.h"
#include "segments/member_rows.h"
#include "segments/noted.h"
#include "segments/people_sets.h"
#include "segments/rule_book.h"
#include "segments/rule_rows.h"
#include "segments/rules_in_force.h"
#include "storage/store.h"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <shared_mutex>
#include <span>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace footfall::intake {
class Intake;
}  // namespace footfall::intake

namespace footfall::segment_events {
class Filling;
}  // namespace footfall::segment_events

namespace footfall::segments {

/// Derives from members and profiles which person is in which segment, and tells what changed.
///
/// **Nothing is missed.** Who writes members notes their ids, and who settles profiles notes those
/// that got or lost ids (identities/moved_profiles.h), both durably, before or with what they
/// write. To follow a note is to *look* at a person: the ids of a profile are read, the segments of
/// each, and the row of the person is set to what they say. A look goes by what stands when it
/// reads, so looking twice or too often is of no harm, and the last look behind a write sees it.
/// Up to when all notes were followed is in a row, two minutes late; who begins follows from there.
///
/// **Rules** are evaluated at each look, each behind those that it names, over what the ids of the
/// person did (segment_events) and what is said of the profile. When the clock ends something that
/// a rule asks for the person is looked at as when a member ends. How a new rule comes to hold of
/// what happened before: Taking.
///
/// **Each change is told once.** An id is *told* to be in a segment, by rows of its own; a look
/// compares these with the segments of its person, and only what differs is told. Numbers rise by
/// one; a change stands before the row of its id follows it, and whoever begins has the rows of ids
/// follow the last changes first. So whoever is killed in between has told all of a number or
/// nothing. Where the store writes a batch as a whole all of a look is one. While the store is full
/// of what waits to be written members wait to be looked at, so that merges find room. Of a person
/// who does not consent (consent.h) no id is told to be in any: who takes consent back leaves all,
/// to whoever follows, and is counted on.
///
/// One thread calls what is not const; figures and sets may be asked by any. Blocks.
class Derivation {
public:
    struct Options {
        bool shared = true;
        runtime::MemoryShare* memory = nullptr;
        /// Most ids and profiles that wait in memory; more are read from notes.
        std::size_t waiting_max = 100'000;
        /// More ids of people are not looked at together: of each some hundred bytes are held.
        std::size_t ids_at_once = 50'000;
        /// Whether there is a log of events, which follow_log() says; a rule's past is found there.
        bool has_log = false;
    };

    Derivation(
        storage::Store& store,
        const identities::Settling& settling,
        Catalogue& catalogue,
        RuleBook& book,
        const Clock& clock,
        Options options
    );
    Derivation(const Derivation&) = delete;
    Derivation& operator=(const Derivation&) = delete;

    ~Derivation();

    Result<void> begin();
    void end();

    /// Sees to it that moves of profiles are noted: to be called before the first member is
    /// written. Idempotent, and cheap from the second time on. Any thread.
    Result<void> follow();

    /// As Segments::derive().
    Result<std::chrono::milliseconds> go_on(const std::stop_token& stop);

    /// By who wrote a note in this process, once all it tells of stands. False: they do not wait in
    /// memory, and are found by notes alone. Any thread.
    bool tell_ids(std::span<const identities::Id> ids, Instant at);
    void tell_moved(const identities::MovedProfiles::Names& sids, Instant since);

    /// Where what happened before a rule is found. Any thread.
    void follow_log(intake::Intake& intake) { intake_ = &intake; }

    /// A segment is to be cleared away. Any thread.
    void tell_dropped() { has_dropped_ = true; }

    /// Segments in which something was told since this was asked last, here. What was told before
    /// this process derived is not among it. Any thread.
    std::set<std::int64_t> take_news();

    /// Calls `ask(PeopleSets, as_of)` while nothing changes. `unavailable`: derived elsewhere;
    /// `overloaded`: sets do not fit in memory, not even of few people.
    template <class Ask>
    auto with_sets(const Ask& ask) const
        -> decltype(ask(std::declval<const PeopleSets&>(), Instant{})) {
        std::unique_lock gate{gate_};
        const std::shared_lock lock{sets_mutex_};
        gate.unlock();
        TRY_VOID(may_ask());
        return ask(sets_, as_of());
    }

    bool is_here() const { return is_ready_; }

    struct Figures {
        std::uint64_t people = 0;
        std::uint64_t bytes = 0;
        std::uint64_t waiting = 0;
        std::uint64_t looked = 0;
        std::uint64_t changes = 0;
        Instant as_of{};
        std::uint32_t one_of = 1;
    };

    Figures figures() const;

    /// What it takes of memory, as booked and counted anew.
    std::pair<std::size_t, std::size_t> audit() const;

private:
    struct Taking;

    /// What is to be looked at.
    struct Asked {
        std::set<std::string> sids;
        std::set<identities::Id> ids;

        bool empty() const { return sids.empty() && ids.empty(); }

        std::size_t size() const { return sids.size() + ids.size(); }
    };

    /// A person as it is now, and as its row has it.
    struct Person {
        std::vector<identities::Id> ids;  ///< None: it is no person any more.
        std::vector<Told> told = {};      ///< Of each.
        PersonData data = {};             ///< Where rules go by data.
        std::optional<identities::Id> alone = {};
        std::optional<PersonRow> stored = {};
        std::vector<std::int64_t> segments = {};
        std::int64_t looks = 0;
        bool may_be_told = true;  ///< By its consent.
    };

    using People = std::map<std::string, Person>;  ///< By sid.

    /// What a look writes.
    struct Writes {
        std::vector<storage::Batch> changes;              ///< One behind the other.
        storage::Batch rows;                              ///< Behind these.
        std::map<std::int64_t, std::uint64_t> told = {};  ///< Segments' last numbers, with these.
        std::uint64_t count = 0;

        /// People whose sets change: number, segments before, now.
        struct Move {
            sets::Number number = 0;
            std::vector<std::int64_t> before;
            std::vector<std::int64_t> now;
        };

        std::vector<Move> moves = {};
    };

    Result<void> may_ask() const;
    Instant as_of() const;

    // Reading what was derived: derivation_begin.cpp.
    Result<void> read_sets();
    Result<void> read_where_to_begin();
    Result<void> refresh_segments();
    Result<std::uint64_t> last_change(std::int64_t segment);
    Result<void> save_until(Instant now);

    // A look: derivation_look.cpp.
    Result<void> look(Asked asked);
    static std::pair<Asked, Asked> halves_of(const Asked& asked);
    Result<void> look_at(People& people, std::set<sets::Number>& seen);
    Result<bool> is_live_segment(std::int64_t segment);
    Result<People> gather(const Asked& asked);
    Result<void> add_memberships(People& people, Instant now);
    Result<void> add_ruled(People& people, Instant now);
    Result<void> add_told_of(People& people);
    Result<void> add_who_was_alone(People& people);
    Result<void> compare(const People& people, Instant now, Writes& writes);
    Result<void> tell_changes(const People& people, Instant now, Writes& writes);
    Result<void> compare_row(const std::string& sid, const Person& person, Writes& writes);
    Result<void> write(const Writes& writes);
    void doubt(const Writes& writes);
    void move(const Writes& writes, std::set<sets::Number>& seen);
    void settle_doubts(const std::set<sets::Number>& seen);
    bool fit(PeopleSets& sets);
    bool has_room() const;

    // What is to be looked at: derivation.cpp.
    /// And whether these are all that waited.
    std::pair<std::set<std::string>, bool> take_moved(std::size_t most);
    void take_ids(Instant now);
    Result<bool> step_moved(Instant now);
    Result<bool> step_noted(Instant now);
    Result<bool> step_expired(Instant now);
    Result<bool> step_all();
    // Rules that change: derivation_rules.cpp.
    Result<bool> step_rules();
    std::optional<Taking> begun_taking(const std::shared_ptr<const Rules>& rules) const;
    Result<bool> fill(Taking& taking);
    Result<bool> look_by_rules(Taking& taking);
    Result<void> end_taking(const Taking& taking);
    Result<bool> step_dropped();
    Result<void> clear_changes(std::int64_t segment);

    storage::Store* store_;
    const identities::Settling* settling_;
    Catalogue* catalogue_;
    RuleBook* book_;
    const Clock* clock_;
    const Options options_;
    std::atomic<intake::Intake*> intake_ = nullptr;

    /// Locks sets_mutex_ to change them, before whoever asks later: many who ask would keep it.
    struct Changing {
        explicit Changing(const Derivation& of) : gate{of.gate_}, lock{of.sets_mutex_} {}

        std::lock_guard<std::mutex> gate;
        std::lock_guard<std::shared_mutex> lock;
    };

    mutable std::mutex gate_;  ///< Held by who waits for sets_mutex_.
    mutable std::shared_mutex sets_mutex_;
    PeopleSets sets_;   ///< Guarded by sets_mutex_; changed by the one thread alone.
    bool fits_ = true;  ///< The same.

    std::mutex waiting_mutex_;
    Asked waiting_;                         ///< Guarded by waiting_mutex_.
    std::optional<Instant> unheard_ids_;    ///< Guarded by it: notes from there on are to be read.
    std::optional<Instant> unheard_moved_;  ///< Guarded by it.
    std::atomic<std::size_t> waiting_count_ = 0;
    std::atomic<bool> has_dropped_ = true;
    std::mutex news_mutex_;
    std::set<std::int64_t> news_;  ///< Guarded by news_mutex_.
    std::mutex follow_mutex_;
    std::atomic<bool> follows_ = false;

    // Of the one thread.
    std::size_t needed_ = 0;       ///< Bytes of sets that did not fit.
    std::set<std::int64_t> live_;  ///< Numbers of segments that are.
    std::set<std::int64_t> dead_;  ///< Some that are not any more: no number lives again.
    std::map<std::int64_t, std::uint64_t> last_changes_;
    /// Segments whose ids' rows may not follow the last changes that stand.
    std::set<std::int64_t> untold_;
    Asked failed_;                       ///< That is to be looked at again.
    bool is_doubted_ = false;            ///< Nobody knows whether the last write stands.
    std::vector<sets::Number> doubted_;  ///< Numbers of people that it was about.
    Asked ids_;                          ///< That waited when ids_since_ was.
    Instant ids_since_{};
    NotesFollowed moved_notes_;
    NotesFollowed noted_;
    ExpiryWalk expiries_;

    struct LookingAtAll {
        std::string people;  ///< Of the scan; empty at its end.
        bool has_people = true;
        std::vector<std::int64_t> segments;  ///< That are left.
        std::string members;
    };

    std::optional<LookingAtAll> all_;
    std::shared_ptr<const Rules> rules_ = std::make_shared<const Rules>();
    Filled filled_;    ///< As rows say it.
    Filled in_force_;  ///< People are looked at by these.

    /// Rules that were written, and are to be in force: first what happened before is found, then
    /// all are looked at whom they may concern. Who is killed in between begins again.
    struct Taking {
        enum class Stage : std::uint8_t { fill, people, did, profiles, done };

        std::shared_ptr<const Rules> rules;
        Filled written = {};               ///< By segment.
        std::set<std::int64_t> gone = {};  ///< Segments whose rule was removed.
        std::set<segment_rules::EventTerm> unfilled = {};
        std::set<std::uint64_t> terms = {};  ///< Of rules that were written.
        bool has_data = false;
        Instant known{};  ///< Each process counts by them from then on.
        std::unique_ptr<segment_events::Filling> filling = {};
        Stage stage = Stage::fill;
        std::string cursor = {};  ///< Of the scan of this stage.
    };

    std::optional<Taking> taking_;
    std::string dropped_members_;  ///< Cursor, of the segment that is cleared away.
    Instant dropped_looked_{};
    Instant saved_{};

    std::atomic<bool> is_here_ = false;   ///< What is told waits.
    std::atomic<bool> is_ready_ = false;  ///< What was derived before is read.
    std::atomic<Instant::rep> moved_until_ = 0;
    std::atomic<Instant::rep> noted_until_ = 0;
    std::atomic<Instant::rep> expired_until_ = 0;
    std::atomic<std::uint64_t> looked_ = 0;
    std::atomic<std::uint64_t> changes_ = 0;
};

}  // namespace footfall::segments
