#pragma once

#include "backup/manifest.h"
#include "backup/step.h"
#include "foundation/result.h"
#include "moving/file.h"

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::backup {

/// What a place of backups holds.
struct Listing {
    std::vector<Manifest> whole;        ///< The oldest first.
    std::vector<std::string> unusable;  ///< Why a list of a backup cannot be used, naming it.
};

/// The whole backups of a place; those that were cut short are none. `not_found` when the place is
/// none.
Result<Listing> list(const std::filesystem::path& place);

/// The backup of this name; the newest for "". `not_found`, `corrupt`.
Result<Manifest> find(const std::filesystem::path& place, std::string_view name);

/// Where the list of a backup and what stands beside it lie.
std::filesystem::path folder_of(const std::filesystem::path& place, std::string_view name);

/// A place of backups that is written to, by one process at a time. Movable, not thread-safe.
class Place {
public:
    /// Makes it if it is not there; `conflict` when another process writes to it, or when it holds
    /// something else.
    static Result<Place> open(const std::filesystem::path& path);

    const std::filesystem::path& path() const { return path_; }

    std::filesystem::path files() const;

    /// Removes whole backups but the newest `keep`, each as a whole: at no moment is one listed
    /// that lacks a file. Answers how many.
    Result<std::size_t> retire(std::size_t keep, const BeforeStep& before_step) const;

    /// Removes what backups left that were cut short: folders without a list, and files that no
    /// list names. Where a list cannot be used nothing is removed, for it may name them.
    Result<void> sweep(const BeforeStep& before_step) const;

private:
    Place(std::filesystem::path path, moving::File lock)
        : path_{std::move(path)}, lock_{std::move(lock)} {}

    std::filesystem::path path_;
    moving::File lock_;
};

}  // namespace footfall::backup
