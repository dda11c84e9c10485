#pragma once

#include "foundation/clock.h"
#include "foundation/result.h"
#include "identities/timed_notes.h"
#include "storage/store.h"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace footfall::segments {

/// No write takes so long, and no clock of the deployment is so far behind: a note that is older
/// stands, and so does what it tells of.
inline constexpr std::chrono::seconds notes_settled{120};

/// One walk over notes, in the order of their instants. Used by one thread.
class NotesWalk {
public:
    NotesWalk(storage::Store& store, const storage::Table& table, Instant from)
        : store_{&store}, table_{&table}, at_{from} {}

    /// Some notes up to an instant, in about that number. Empty: there are no more. Blocks.
    Result<std::vector<identities::TimedNote>> next(Instant through, std::size_t most);

    /// All notes before this one were answered.
    Instant at() const { return at_; }

    /// Notes that are written from now on and are earlier than this are not answered any more.
    Instant reached() const { return continuation_.empty() ? at_ : reached_; }

private:
    storage::Store* store_;
    const storage::Table* table_;
    Instant at_;
    Instant reached_{};         ///< The last note that was answered, with continuation_.
    Instant walked_through_{};  ///< With continuation_: the end of that walk.
    std::string continuation_;
};

/// The notes of a table, as one follows them who is told of none in memory, or was not yet.
///
/// Those of other processes are read when they are written, or nearly so, and again 1.5 seconds
/// later: what a note tells of may be written behind it. Whatever comes later still is seen by two
/// more walks, 15 and 120 seconds behind. Where all notes are told in memory (`shared` false) they
/// are only read from where somebody stopped to follow until now.
///
/// Used by one thread. Blocks.
class NotesFollowed {
public:
    NotesFollowed(storage::Store& store, const storage::Table& table, bool shared)
        : store_{&store}, table_{&table}, shared_{shared} {}

    /// Notes from here on are to be read, until now.
    void follow_from(Instant from, Instant now);

    /// Some that are to be looked at, in about that number; empty: none now.
    Result<std::vector<std::string>> next(Instant now, std::size_t most);

    /// Everything older was answered, for as long as `notes_settled` says. Where nothing is waited
    /// for it is that long ago.
    Instant answered_until(Instant now) const;

    /// Whether it is behind with what was noted before it began.
    bool is_behind() const { return catching_up_.has_value(); }

private:
    Result<void> walk(Instant now, std::size_t most, std::vector<std::string>& found);
    Result<void> poll(Instant now, std::size_t most);

    struct CatchingUp {
        NotesWalk walk;
        Instant until;
    };

    storage::Store* store_;
    const storage::Table* table_;
    bool shared_;
    std::optional<CatchingUp> catching_up_;
    /// Where others write notes: walks behind those that are new.
    std::vector<NotesWalk> late_;
    Instant late_walked_{};  ///< When these came to their ends.

    /// A walk over notes that are new. It goes on where it stopped: what was seen is not read again
    /// for each note that is handed out.
    struct Polling {
        NotesWalk walk;
        Instant begun{};
    };

    std::optional<Polling> polling_;
    std::deque<std::string> due_;  ///< Found by it, and not handed out yet: a page at the most.
    Instant polled_{};             ///< When the last walk came to its end.
    Instant::duration poll_took_{};

    struct Seen {
        Instant at{};
        std::optional<Instant> again;  ///< When it is looked at again; absent: it was.
    };

    std::map<std::int64_t, Seen> seen_;  ///< Notes of the last seconds, by their tokens.
};

}  // namespace footfall::segments
