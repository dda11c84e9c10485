#pragma once

#include "backup/depot.h"
#include "backup/manifest.h"
#include "backup/step.h"
#include "foundation/clock.h"
#include "foundation/result.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::backup {

/// In the folder of a backup: what write_beside() wrote.
inline constexpr std::string_view beside_folder = "beside";

/// Files of a data directory of one moment.
struct Frozen {
    std::filesystem::path directory;  ///< Nobody changes what is there until the backup is done.
    /// An empty folder for write_beside(), for as long; "": nothing stands beside the files.
    std::filesystem::path scratch;
    std::uint64_t history = 0;  ///< See Manifest.
    std::uint64_t block = 0;
    std::uint64_t past_from = 0;
    std::uint64_t past_to = 0;
};

/// What is backed up: files of a data directory, or of a Cassandra node, that stand still.
struct Source {
    std::string deployment;
    std::uint64_t format = 0;
    std::uint64_t log_id = 0;
    std::uint64_t log_records = 0;
    /// Called once.
    std::function<Result<Frozen>()> freeze;
    /// In the frozen directory: logs of what was written since the last backup. They only grow.
    std::string past_folder;
    /// Writes into a directory what a restore of an older backup takes over. Called after
    /// freeze(), so that it has all that the files have.
    std::function<Result<void>(const std::filesystem::path&)> write_beside;
    /// Of a snapshot of a Cassandra node: its keyspace and its name; else empty.
    std::string keyspace = {};
    std::string snapshot = {};
    /// Files whose names end so never change once they are written. Of past logs one that has not
    /// grown since does not either.
    std::vector<std::string> unchanging = {".sst"};
};

struct TakeOptions {
    Depot* depot = nullptr;                ///< Where backups are.
    bool full = false;                     ///< Copies what the place has already, too.
    std::optional<std::size_t> keep = {};  ///< So many backups stay, with the new one; absent: all.
    BeforeStep before_step = go_on;
};

struct Taken {
    Manifest manifest;
    std::uint64_t copied_bytes = 0;  ///< The rest is of older backups of the place.
    std::size_t removed = 0;         ///< Older backups.
};

/// Makes a backup. Table files and past logs that the newest backups of the place have already, by
/// name, size and last bytes, are named and not copied. The list of the backup is written last, and
/// as a whole: a backup that is cut short at any moment is not listed, changes none that is, and is
/// removed by the next one. `conflict`: the place has backups of another deployment, or is in use.
/// `unavailable`: no room. Blocks. Cost: reads and writes what is new once; memory of a portion and
/// the lists.
Result<Taken> take(const Source& source, const Clock& clock, const TakeOptions& options);

}  // namespace footfall::backup
