#pragma once

#include "backup/depot.h"
#include "backup/manifest.h"
#include "backup/step.h"
#include "foundation/result.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace footfall::backup {

struct RestoreOptions {
    Depot* depot = nullptr;        ///< Where backups are.
    std::string name;              ///< Of the backup; "": the newest.
    std::filesystem::path target;  ///< A data directory that is not there, or empty.
    std::uint64_t format = 0;      ///< Of data directories, which this version reads.
    /// Where files lie in `target` until all are there; while it is there nobody opens `target`.
    std::string folder;
    std::string last_file;  ///< Without which `target` is no data directory; put in place last.
    /// Of one way to a moment (route_to()); absent: the backup as it is.
    std::vector<StoredFile> past = {};
    /// Where these lie in the restored directory; finish() removes them.
    std::string past_folder = {};
    /// Called with the restored directory, which may change, before it is put in place.
    std::function<Result<void>(const std::filesystem::path&)> finish;
    BeforeStep before_step = go_on;
};

/// Copies a file of a backup to where its name says below `folder`, durably, with every byte held
/// to its checksum. `corrupt`, with file and place: it is damaged.
Result<void> fetch(
    Depot& depot,
    const StoredFile& file,
    const std::filesystem::path& folder,
    Step& step,
    const BeforeStep& before_step
);

/// Restores a backup, with every byte held to its checksum. Cut short at any moment it leaves what
/// nobody takes for a data directory, and begins anew when it is run again. `conflict`: the target
/// is not empty, or the backup has another format; `corrupt`, with file and place: the backup is
/// damaged; `unavailable`: no room. Answers what was restored. Blocks. Reads and writes all once.
Result<Manifest> restore(const RestoreOptions& options);

}  // namespace footfall::backup
