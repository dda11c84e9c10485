#pragma once

#include "storage/table.h"

#include <array>

/// Tables of identities: facts, which follow from the log, and what follows from facts
/// (docs/identities.md).
namespace footfall::identities {

/// A fact, under its holders_of(), as the lane `writer` was told it: lanes that were told the
/// same one have a row each, which readers merge (identities::merge).
extern const storage::Table identity_fact_table;

/// An id that a fact names, by which its rows are found.
extern const storage::Table fact_anchor_table;

/// The profile an id is in: a cache of resolve().
extern const storage::Table profile_index_table;

/// The ids of a profile, a row for each network: a cache of resolve().
extern const storage::Table profile_table;

/// The id that a sid is named after, for sids that were given out and are no profile's any more.
extern const storage::Table sid_anchor_table;

/// Links that somebody objects to, but for those of ids that are all shared: a cache of resolve().
extern const storage::Table identity_contested_table;

/// Ids of which rows are being written that could not be found again from the ids of the facts that
/// ask for it, by whose facts do.
extern const storage::Table identity_settling_table;

/// Ids that are settled behind the answers, since much hangs together with them (later_rows.h).
extern const storage::Table identity_later_table;

/// Guards as they were recorded in the log, newest first (docs/identities.md).
extern const storage::Table identity_guards_table;

/// From which record of a lane on guards are in force in it, by `writer`.
extern const storage::Table identity_guards_of_lane_table;

/// The networks of which ids are known.
extern const storage::Table identity_network_table;

/// Parts of the index of which profiles were settled under these guards; that without a name of a
/// network says that all were.
extern const storage::Table identity_settled_anew_table;

/// How many partitions the index of a network has, where those are not the first ones.
extern const storage::Table identity_index_level_table;

/// Facts, in the order in which a lane was told them, of some records a row: for other regions.
extern const storage::Table identity_feed_table;

/// How far the feed of each lane of every region goes.
extern const storage::Table identity_feed_end_table;

/// Up to which record the feed of a lane of another region is followed in this one.
extern const storage::Table identity_followed_table;

/// When facts end unless they are said again, by the hour, where guards give a network a ttl.
extern const storage::Table identity_expiry_table;

/// Hours of which such rows are there.
extern const storage::Table identity_expiry_bucket_table;

/// Which profiles got or lost ids, by time (moved_profiles.h).
extern const storage::Table profile_moved_table;

/// Whether somebody follows that.
extern const storage::Table profile_follower_table;

inline constexpr std::array all_tables{&identity_fact_table,        &fact_anchor_table,
                                       &profile_index_table,        &profile_table,
                                       &sid_anchor_table,           &identity_contested_table,
                                       &identity_settling_table,    &identity_later_table,
                                       &identity_guards_table,      &identity_guards_of_lane_table,
                                       &identity_network_table,     &identity_settled_anew_table,
                                       &identity_index_level_table, &identity_feed_table,
                                       &identity_feed_end_table,    &identity_followed_table,
                                       &identity_expiry_table,      &identity_expiry_bucket_table,
                                       &profile_moved_table,        &profile_follower_table};

}  // namespace footfall::identities
