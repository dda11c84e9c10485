#include "identities/timed_notes.h"

#include "identities/stored_instant.h"
#include "storage/blocking.h"

#include <algorithm>

namespace footfall::identities {
namespace {

// Of every such table.
constexpr std::size_t note_at_column = 1;
constexpr std::size_t note_token_column = 2;
constexpr std::size_t note_what_column = 3;

}  // namespace

std::int64_t note_bucket_of(Instant at) {
    return std::chrono::floor<std::chrono::seconds>(at).time_since_epoch() / notes_bucket;
}

void add_timed_note(
    const storage::Table& table,
    Instant at,
    std::int64_t token,
    std::string_view what,
    storage::Batch& batch
) {
    batch.upsert(
        table,
        {note_bucket_of(at), microseconds_of(at), token, what, microseconds_of(at + notes_life)}
    );
}

Result<NotesPage> read_timed_notes(
    storage::Store& store,
    const storage::Table& table,
    Instant from,
    Instant through,
    std::size_t most,
    const std::string& continuation
) {
    TRY(storage::Page page,
        storage::read_page(
            store,
            {.table = &table,
             .partition = {note_bucket_of(from)},
             .from = {microseconds_of(from)},
             .through = {microseconds_of(through)},
             .max_rows = most,
             .continuation = continuation}
        ));
    NotesPage read{.notes = {}, .continuation = std::move(page.continuation)};
    read.notes.reserve(page.rows.size());
    for (std::size_t row = 0; row < page.rows.size(); ++row) {
        read.notes.push_back(
            {.at = instant_of(page.rows.at(row, note_at_column).number()),
             .token = page.rows.at(row, note_token_column).number(),
             .what = std::string{page.rows.at(row, note_what_column).text()}}
        );
    }
    return read;
}

}  // namespace footfall::identities
