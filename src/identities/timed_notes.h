#pragma once

#include "foundation/clock.h"
#include "foundation/result.h"
#include "storage/batch.h"
#include "storage/store.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// Notes of what has happened, by time, for who follows it: rows of tables whose partition is a
/// bucket of some seconds, and whose key goes on with the instant and a token that is drawn once.
/// Nobody erases them, since a queue that is erased is waded through: they expire, and who follows
/// remembers how far he is. Reads block.
namespace footfall::identities {

/// Seconds of a partition.
inline constexpr std::chrono::seconds notes_bucket{10};

/// Notes count for so long. Who was away for longer has to look at everything.
inline constexpr std::chrono::hours notes_life{24 * 7};

struct TimedNote {
    Instant at{};
    std::int64_t token = 0;
    std::string what;
};

std::int64_t note_bucket_of(Instant at);

void add_timed_note(
    const storage::Table& table,
    Instant at,
    std::int64_t token,
    std::string_view what,
    storage::Batch& batch
);

/// Notes of one bucket from an instant on, some at a time.
struct NotesPage {
    std::vector<TimedNote> notes;
    std::string continuation;  ///< Empty: there are no more now.
};

/// `through`: the last instant that is wanted. Failures: the store's.
Result<NotesPage> read_timed_notes(
    storage::Store& store,
    const storage::Table& table,
    Instant from,
    Instant through,
    std::size_t most,
    const std::string& continuation = {}
);

}  // namespace footfall::identities
