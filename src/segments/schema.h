#pragma once

#include "storage/table.h"

#include <array>

/// Tables of segments: members, which are of record, and what is derived from them and profiles
/// (docs/formats/tables.md).
namespace footfall::segments {

/// Segments by name.
extern const storage::Table segment_table;

/// By which rule a segment fills itself.
extern const storage::Table segment_rule_table;

/// Derived: since when the rule of a segment is in force, with all that happened before.
extern const storage::Table segment_filled_table;

/// Segments that were dropped and whose rows are still there.
extern const storage::Table segment_dropped_table;

/// The ids of a segment.
extern const storage::Table segment_member_table;

/// The segments of an id: the same, the other way round.
extern const storage::Table segment_of_table;

/// Ids that got into a segment or out of one, by time (identities/timed_notes.h).
extern const storage::Table segment_noted_table;

/// Derived: by person the segments that it is in.
extern const storage::Table segment_person_table;

/// Derived: when a person is to be looked at since a member ends, by time.
extern const storage::Table segment_expiry_table;

/// Derived: in which segments an id is by what was told of it.
extern const storage::Table segment_told_table;

/// Derived: what was told, by segment and number.
extern const storage::Table segment_change_table;

/// Derived: up to which change what was told of ids stands for certain.
extern const storage::Table segment_told_until_table;

/// Derived: up to when all is derived.
extern const storage::Table segment_derived_table;

/// Up to which change a segment's stand in the topic for other programs.
extern const storage::Table segment_published_table;

/// Derived: how many people segments were, over time.
extern const storage::Table segment_size_table;

inline constexpr std::array all_tables{
    &segment_table,
    &segment_rule_table,
    &segment_filled_table,
    &segment_dropped_table,
    &segment_member_table,
    &segment_of_table,
    &segment_noted_table,
    &segment_person_table,
    &segment_expiry_table,
    &segment_told_table,
    &segment_change_table,
    &segment_told_until_table,
    &segment_derived_table,
    &segment_published_table,
    &segment_size_table,
};

}  // namespace footfall::segments
