#pragma once

#include "backup/depot.h"
#include "backup/manifest.h"
#include "backup/step.h"
#include "foundation/result.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::backup {

/// What a place of backups holds.
struct Listing {
    std::vector<Manifest> whole;        ///< The oldest first.
    std::vector<std::string> unusable;  ///< Why a list of a backup cannot be used, naming it.
};

/// Where each file of backups lies once.
inline constexpr std::string_view files_folder = "files";

/// The whole backups of a place; those that were cut short are none. `not_found` when the place is
/// none; `invalid_input` when all are encrypted with another key, or otherwise.
Result<Listing> list(Depot& depot);

/// The backup of this name; the newest for "". `not_found`, `corrupt`.
Result<Manifest> find(Depot& depot, std::string_view name);

/// Makes a place of backups, if it is not there, to be written to by one process at a time.
/// `conflict` when another one writes to it, or when it holds something else.
Result<void> open_place(Depot& depot);

/// Removes whole backups but the newest `keep`, each as a whole: at no moment is one listed that
/// lacks a file. Answers how many. In a place that was opened.
Result<std::size_t> retire(Depot& depot, std::size_t keep, const BeforeStep& before_step);

/// Removes what backups left that were cut short: folders without a list, and files that no list
/// names. Where a list cannot be used nothing is removed, for it may name them. In a place that was
/// opened.
Result<void> sweep(Depot& depot, const BeforeStep& before_step);

}  // namespace footfall::backup
