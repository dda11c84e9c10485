#pragma once

#include "foundation/clock.h"
#include "foundation/result.h"
#include "identities/fact.h"
#include "identities/settling.h"
#include "identities/sid.h"
#include "runtime/memory_shares.h"
#include "segment_events/counted_terms.h"
#include "segment_events/did_rows.h"
#include "segment_rules/rule.h"
#include "sets/number_set.h"
#include "storage/store.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace footfall::intake {
class Intake;
}  // namespace footfall::intake

namespace footfall::segments {

/// Most bytes of a segment's name, which is UTF-8 without control characters, and not empty.
inline constexpr std::size_t name_bytes_max = 1024;
inline constexpr std::size_t segments_max = 10'000;
/// Most segments of one question.
inline constexpr std::size_t asked_max = 100;
/// Most members, or ids, of one call.
inline constexpr std::size_t members_max = 100'000;
/// Most rows of a page of any list.
inline constexpr std::size_t page_max = 10'000;

/// An id in a segment. Once `expires` has come it is in it no more; absent: it stays.
struct Member {
    identities::Id id;
    std::optional<Instant> expires = {};

    friend bool operator==(const Member&, const Member&) = default;
};

/// What is known of a segment by its rows.
struct Segment {
    std::string name;
    /// Of this life of it: one that was dropped and made again has another.
    std::int64_t number = 0;
    Instant created{};
};

/// Which people are meant: those in all of `all`, in at least one of `any` unless it is empty, and
/// in none of `none`. At least one of `all` and `any` is given.
struct Expression {
    std::vector<std::string> all = {};
    std::vector<std::string> any = {};
    std::vector<std::string> none = {};
};

/// A number of people. What was answered to its writer before `as_of` is in it. Where sets of all
/// people do not fit in memory one of `one_of` people is looked at, and what is found among them is
/// told so many times: `estimate_of()` says what that is worth (sampled.h).
struct People {
    std::uint64_t people = 0;
    Instant as_of{};
    std::uint32_t one_of = 1;
};

/// Of each pair of some segments the people who are in both.
struct Overlaps {
    std::vector<std::uint64_t> sizes;  ///< As they were asked.
    /// Of the segments at `one` < `other`: at one * (2 n - one - 1) / 2 + other - one - 1.
    std::vector<std::uint64_t> pairs;
    Instant as_of{};
    std::uint32_t one_of = 1;  ///< As of People.

    std::uint64_t pair(std::size_t one, std::size_t other) const {
        return pairs[one * (2 * sizes.size() - one - 1) / 2 + other - one - 1];
    }
};

/// Of an id of a network: since this change its profile is in the segment, or is not any more.
struct Change {
    std::uint64_t number = 0;  ///< Only rises within a life of a segment, from 1 on, without gaps.
    identities::Id id;
    bool joined = false;
    Instant at{};

    /// Of an id that was erased since: of it stand the network and the name, and no value.
    bool is_erased() const { return id.id_value.empty(); }

    friend bool operator==(const Change&, const Change&) = default;
};

/// A part of a list, and how to ask for the next one: an empty cursor says that this was the last.
template <class Row>
struct Listed {
    std::vector<Row> rows;
    std::string cursor;
};

/// Changes with numbers above the one that was asked for, in their order.
struct Changes {
    std::vector<Change> rows;
    /// To be given as `after` next. More than the number of the last row where those of other
    /// networks followed.
    std::uint64_t after = 0;
    bool more = false;  ///< Whether there may be some behind it now.
};

/// Named sets of ids, and of the people they are: members of a segment are ids, each with an end of
/// its own, if any; its people are the distinct profiles that its members are in now. An id that is
/// in no profile is a person of its own. So merges, detaches and ends move every number.
///
/// Members are rows, which any process writes, durably before it is answered and without reading.
/// What follows from them and from profiles is *derived* by one process of a deployment: by people
/// the segments they are in, in rows and as bitmaps in memory; by segment the changes of ids. How
/// nothing is missed: derivation.h. Numbers of people are answered there; another process is
/// answered `unavailable`, and asks that one.
///
/// Thread-safe, but begin(), derive() and end(), which are one thread's. All given must outlive it.
/// All calls block, on the store, but for those that say otherwise; never from an io thread.
///
/// Failures: `invalid_input` (a name, an id or an expression is none; the message says which),
/// `not_found` (there is no segment of that name), `conflict` (a rule names it, or there are too
/// many), `overloaded` (a bound is reached), the store's.
class Segments {
public:
    struct Options {
        runtime::MemoryShare* memory = nullptr;  ///< Of bitmaps; null: as many as it takes.
        bool shared = true;                      ///< Whether other processes write the same rows.
        /// Most ids of people that are looked at together, and that wait in memory.
        std::size_t ids_at_once = 50'000;
        std::size_t waiting_max = 100'000;
        /// Whether there is a log of events (follow_log).
        bool has_log = false;
    };

    Segments(
        storage::Store& store,
        const identities::Settling& settling,
        const Clock& clock,
        Options options
    );
    Segments(const Segments&) = delete;
    Segments& operator=(const Segments&) = delete;
    ~Segments();

    // Segments and members: in any process.

    /// Makes the segment if there is none of that name, and answers it. `overloaded`: there are
    /// segments_max already.
    Result<Segment> create(std::string_view name);

    /// Absent: there is none.
    Result<std::optional<Segment>> find(std::string_view name);

    /// Adds members, of which those that are there get another end. Makes the segment if there is
    /// none. `source`: who says so, to be shown. An end that is past is as good as remove().
    /// `conflict`: it was dropped meanwhile, and has none of them.
    Result<void> add(
        std::string_view name, std::span<const Member> members, std::string_view source = {}
    );

    /// Removes ids; those that are no members stay none.
    Result<void> remove(std::string_view name, std::span<const identities::Id> ids);

    /// Takes ids out of all segments, for whoever erases them: they are members no more. Where
    /// segments are derived here they are counted no more either, and those who follow changes are
    /// told that they left; else that is when Erasing asks for it, since no note is to name them.
    Result<void> remove_from_all(std::span<const identities::Id> ids);

    /// Has these ids be looked at soon, without a note. False: segments are not derived here, or
    /// much waits already, and they are not. Never blocks.
    bool look_at(std::span<const identities::Id> ids);

    /// Whether other processes write the same rows.
    bool is_shared() const;

    // Rules: segments that fill themselves. Beside those for whom its rule holds whoever is put
    // into a segment is in it.

    /// From soon on the segment goes by this rule, also for what happened before. Makes the segment
    /// if there is none. `author`: who says so, to be shown. `invalid_input`: it names segments
    /// that are not there, or goes round in a circle; `conflict`: there are too many rules.
    Result<void> set_rule(
        std::string_view name, const segment_rules::Rule& rule, std::string_view author = {}
    );

    /// Who is in it by its rule leaves. False: it has none.
    Result<bool> remove_rule(std::string_view name);

    /// A rule as it was written.
    struct ShownRule {
        std::string json;
        std::string author;
        Instant since{};
        bool in_force = false;  ///< All that happened before is looked at.
    };

    /// Absent: the segment has none.
    Result<std::optional<ShownRule>> rule_of(std::string_view name);

    /// Has this process go by the rules that others wrote. To be called before events are counted,
    /// and every second or so.
    Result<void> refresh_rules();

    /// The event terms of all rules: what is to be counted of events, in this process.
    const segment_events::TermsInForce& counted_terms() const;

    /// What an id of an event is known as to those who say which ids are a person.
    segment_events::Id known_as(segment_events::Id id) const;

    /// Notes that what these ids did has changed, with the rows of that in the batch or, where
    /// other processes write, durably before them; and tells who derives, once rows are durable.
    Result<void> note_did(std::span<const segment_events::Id> ids, storage::Batch& batch);
    void tell_did(std::span<const segment_events::Id> ids);

    /// Where what happened before a rule is found. Outlives deriving.
    void follow_log(intake::Intake& intake);

    /// All that is in it goes: at once for whoever asks by name, and behind that its rows. A
    /// segment of that name that is made later has nothing of it. Its changes are gone, too.
    Result<void> drop(std::string_view name);

    /// Segments whose names begin so, by name.
    Result<Listed<Segment>> list(
        std::string_view prefix, std::string_view cursor, std::size_t limit
    );

    /// Members that have not ended, in an order that stays: for export. Fewer than `limit` may be
    /// answered where more follow.
    Result<Listed<Member>> members(
        std::string_view name, std::string_view cursor, std::size_t limit
    );

    /// Whether this very id is a member now.
    Result<bool> is_member(std::string_view name, const identities::Id& id);

    /// Whether the person whose id this is, is in the segment: one of the ids of the profile is a
    /// member now, or its rule holds. From rows, so always up to date.
    Result<bool> contains(std::string_view name, const identities::Id& id);

    /// Changes behind `after` (0: from the first on), of one network or, if that is empty, of all.
    Result<Changes> changes(
        std::string_view name, std::uint64_t after, std::string_view network, std::size_t limit
    );

    // People: where is_derived_here(); else `unavailable`.

    Result<People> size(std::string_view name);

    Result<People> count(const Expression& expression);

    /// Of at most asked_max segments, each once.
    Result<Overlaps> overlap(std::span<const std::string> names);

    /// The numbers of at most asked_max segments, each named once.
    Result<std::vector<std::int64_t>> numbers_of(std::span<const std::string> names);

    /// `one_of`: as of People; of so many people one is in the sets.
    using LookAtPeople =
        std::function<void(std::span<const sets::NumberSet* const> people, std::uint32_t one_of)>;

    /// Calls `look` with the people of each of these, by the numbers of segments, while nothing
    /// changes: what is derived waits for it. A segment that is none has nobody. Answers what is in
    /// them: all that was durable before.
    Result<Instant> look_at(std::span<const std::int64_t> numbers, const LookAtPeople& look);

    // Deriving: one thread of one process of the deployment.

    /// From now on this process derives: reads what was derived before. Costs a scan of a row for
    /// each person who is in a segment.
    Result<void> begin();

    /// Derives from what happened since, and answers after what pause there is to be another turn:
    /// none while there is more to do. `cancelled`: it was stopped, which is no failure. After
    /// another failure nothing is lost; call again.
    Result<std::chrono::milliseconds> derive(const std::stop_token& stop);

    /// Another process derives from now on. Idempotent.
    void end();

    /// Never blocks.
    bool is_derived_here() const;

    /// Numbers of segments with changes that were told since this was asked last, by this process,
    /// for one who hands them on; those before it derived are not among them. Never blocks.
    std::vector<std::int64_t> take_news();

    // For people and metrics. None blocks.

    struct Figures {
        std::uint64_t people = 0;   ///< In at least one segment.
        std::uint64_t bytes = 0;    ///< Of bitmaps.
        std::uint64_t waiting = 0;  ///< Ids and profiles that are to be looked at.
        std::uint64_t looked = 0;   ///< Profiles that were, since the start.
        std::uint64_t changes = 0;  ///< That were told, since the start.
        std::uint64_t members = 0;  ///< That were written here, since the start.
        Instant as_of{};            ///< What was answered before it is in all numbers.
        std::uint32_t one_of = 1;   ///< As of People.
    };

    Figures figures() const;

    /// Bytes of bitmaps, as they are booked and counted anew: for an audit of memory.
    std::pair<std::size_t, std::size_t> memory() const;

private:
    class State;
    std::unique_ptr<State> state_;
};

/// What a check of all rows found. `differences` are texts for people, at most some; `count` all.
struct Verified {
    std::uint64_t segments = 0;
    std::uint64_t members = 0;
    std::uint64_t people = 0;
    std::uint64_t count = 0;
    std::vector<std::string> differences = {};
};

/// Recounts everything from members and the index of profiles, sharing no code with who derives,
/// and holds the derived rows to it: each person's segments, what was told of each id, and that
/// changes replayed give the segment, numbered without a gap. Holds an entry for each member in
/// memory. Nobody else is to write meanwhile, and what waits must be derived: else it finds what is
/// under way. Failures: the store's. Blocks.
Result<Verified> verify(
    storage::Store& store,
    const identities::SidNames& names,
    Instant now,
    std::size_t differences_max = 100
);

}  // namespace footfall::segments
