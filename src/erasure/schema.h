#pragma once

#include "storage/table.h"

#include <array>

namespace footfall::erasure {

/// The ledger: which ids were erased, by keyed hash, up to when, and how often. It goes with every
/// export and to every region, so that nobody comes back by either.
extern const storage::Table erasure_table;

/// What was asked to be erased, without saying of whom, and how far it is. An instant of 0: that
/// part is open.
extern const storage::Table erasure_receipt_table;

inline constexpr std::array all_tables{&erasure_table, &erasure_receipt_table};

}  // namespace footfall::erasure
