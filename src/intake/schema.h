#pragma once

#include "storage/table.h"

#include <cstdint>

namespace footfall::intake {

/// Where the first event of an id stands that its sender gave: (object, id) is one event. `content`
/// tells whether a second one says the same. One that says something else has a row of its own, by
/// a hash of the id and what it says (events::conflict_keys): it is known, too, when it is sent
/// again. `expires`: an event that arrives then or later is another one, whatever its id; 0 where
/// the row stands as long as its event is in the log (Context::keep_rows).
inline const storage::Table event_by_id_table{
    .name = "event_by_id",
    .purpose = "Events by the keyed hash of the id that their senders gave.",
    .partition = {{"id_hash", storage::ColumnType::integer}},
    .clustering = {{"object", storage::ColumnType::text}},
    .values =
        {{"log", storage::ColumnType::integer},
         {"lane", storage::ColumnType::integer},
         {"offset", storage::ColumnType::integer},
         {"content", storage::ColumnType::integer},
         {"expires", storage::ColumnType::timestamp}},
    .expires = "expires",
    .of_record = true,
    .bulk = true,
    .merged_at_once = 10
};

/// What the rules against repeats ask when memory does not suffice: when an actor's events were
/// counted. `actor` is the keyed hash of the person; `expires` as above.
inline const storage::Table guard_seen_table{
    .name = "guard_seen",
    .purpose = "When an actor's actions on an object were counted, for events that come late.",
    .partition =
        {{"action", storage::ColumnType::text},
         {"object", storage::ColumnType::text},
         {"actor", storage::ColumnType::integer}},
    .clustering = {{"time", storage::ColumnType::timestamp}},
    .values =
        {{"log", storage::ColumnType::integer},
         {"lane", storage::ColumnType::integer},
         {"offset", storage::ColumnType::integer},
         {"expires", storage::ColumnType::timestamp}},
    .expires = "expires",
    .of_record = true,
    .bulk = true,
    .merged_at_once = 12
};

/// From where a lane is read again for the rules after a start. The rows of ids and times that
/// follow from records before `offset` are stored. Counted events before `guard_offset` are of no
/// later time than `guard_time`; the rules need not know the others from memory. `rules_version`:
/// of the latest rules in force that the lane was told of by then. `source`: events of the log of
/// events before it are done.
inline const storage::Table lane_checkpoint_table{
    .name = "lane_checkpoint",
    .purpose = "Up to which record of a lane what the rules need is stored.",
    .partition = {{"log", storage::ColumnType::integer}},
    .clustering = {{"lane", storage::ColumnType::integer}},
    .values =
        {{"offset", storage::ColumnType::integer},
         {"guard_offset", storage::ColumnType::integer},
         {"guard_time", storage::ColumnType::timestamp},
         {"rules_version", storage::ColumnType::integer},
         {"source", storage::ColumnType::integer}}
};

/// What the rules remember, as it was when everything that follows from the log was stored and the
/// program ended: of each lane a row, which stands until the next start has read it. `fits` is a
/// keyed hash of what it holds for: where each lane of the log ended, and the rules; `check` one of
/// the row (docs/formats/rules_memory.md).
inline const storage::Table rules_memory_table{
    .name = "rules_memory",
    .purpose = "What the rules remembered when the program ended, for its next start.",
    .partition = {{"log", storage::ColumnType::integer}},
    .clustering = {{"lane", storage::ColumnType::integer}},
    .values =
        {{"fits", storage::ColumnType::integer},
         {"check", storage::ColumnType::integer},
         {"memory", storage::ColumnType::bytes}}
};

/// Hashes and ids of 64 bits as a column of whole numbers keeps them.
inline std::int64_t signed_of(std::uint64_t number) {
    return static_cast<std::int64_t>(number);
}

}  // namespace footfall::intake
