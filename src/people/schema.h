#pragma once

#include "storage/table.h"

#include <array>

namespace footfall::people {

/// Who said what about their reading, a table of record. A person of whom it has no row is off.
/// `friends` is the generation of the list that holds, `old_friends` one whose rows may be left; 0:
/// none.
extern const storage::Table person_table;

/// Whom a person listed, by generation: a list is replaced by writing another one and switching
/// `person.friends`.
extern const storage::Table friend_table;

/// The one place that says which number a reader has, with the key of what that reader shares.
/// Nothing that is stored anywhere else names both, so that what is left belongs to nobody once the
/// row is gone.
extern const storage::Table reader_key_table;

/// The readers that a person was until they took something back, with their keys, and what it was:
/// a URL or site as a hash under the key. A row goes once what is left was told again under the
/// present reader.
extern const storage::Table former_reader_table;

/// The key of each UTC day of which reads are shared. Gone: what was sealed that day stays so.
extern const storage::Table day_key_table;

/// What was said lately, by slots of time, for other processes: written with the person's row where
/// several processes share the tables, and once more where that took long. Rows go after a week.
extern const storage::Table person_change_table;

inline constexpr std::array all_tables{
    &person_table,
    &friend_table,
    &reader_key_table,
    &former_reader_table,
    &day_key_table,
    &person_change_table
};

}  // namespace footfall::people
