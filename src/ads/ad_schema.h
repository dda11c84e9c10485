#pragma once

#include "storage/table.h"

namespace footfall::ads {

/// The ads that were registered, a table of record: each as it is now.
extern const storage::Table registered_ad_table;

/// Every change of a registered ad, for ever: the whole ad as it was from then on, by the UTC day
/// of the change. Written with the row of the registered_ad_table; other processes follow it.
extern const storage::Table ad_change_table;

}  // namespace footfall::ads
