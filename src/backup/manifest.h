#pragma once

#include "backup/file_sums.h"
#include "foundation/clock.h"
#include "foundation/result.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace footfall::backup {

/// A file of a backup.
struct StoredFile {
    std::string name;    ///< In the data directory; among what stands beside it, as `stored`.
    std::string stored;  ///< Where it lies, seen from the place of backups.
    FileSums sums;

    friend bool operator==(const StoredFile&, const StoredFile&) = default;
};

/// What one whole backup is; the file `manifest` is written last, so where it is the backup is
/// whole. A plain value.
struct Manifest {
    std::string name;               ///< When it was taken, so that names have the order of time.
    std::string deployment;         ///< Whose rows: storage::deployment_id().
    std::uint64_t format = 0;       ///< Of the data directory.
    Instant taken;                  ///< Nothing that was acknowledged before is missing.
    std::uint64_t log_id = 0;       ///< The log of judged events; 0: there was none.
    std::uint64_t log_records = 0;  ///< So many records all its lanes have had, at least.
    std::uint64_t history = 0;      ///< Of the data directory's blocks (storage_rocksdb::Stamp).
    std::uint64_t block = 0;        ///< Nothing up to this block is missing.
    std::uint64_t past_from = 0;    ///< The first block of `past`; 0: there is none.
    std::uint64_t past_to = 0;      ///< Nothing is missing where a later `past` begins behind it.
    Instant until = {};             ///< Nothing that was written later is in it.
    std::vector<StoredFile> files = {};   ///< Of the data directory.
    std::vector<StoredFile> past = {};    ///< Logs of what was written since the backup before.
    std::vector<StoredFile> beside = {};  ///< What a restore of an older backup takes over.

    /// Of all files.
    std::uint64_t bytes() const;

    std::size_t file_count() const { return files.size() + past.size(); }

    /// Calls `function(const StoredFile&)` with all of them.
    template <class Function>
    void for_each_file(const Function& function) const {
        for (const auto* const list : {&files, &past, &beside}) {
            for (const StoredFile& file : *list) {
                function(file);
            }
        }
    }

    friend bool operator==(const Manifest&, const Manifest&) = default;
};

/// For programs: what `footfall backup list --json` and the API say of a backup.
std::string json_of(const Manifest& manifest);

/// "20261130T030413.123456Z".
std::string name_of(Instant taken);

/// Where the list of the backup in `directory` lies.
std::filesystem::path manifest_path(const std::filesystem::path& directory);

/// Writes `directory`/manifest as a whole, durably.
Result<void> write_manifest(const std::filesystem::path& directory, const Manifest& manifest);

/// `not_found` where there is none; `corrupt` when it is damaged or names what no backup holds;
/// `conflict` from a newer version.
Result<Manifest> read_manifest(const std::filesystem::path& directory);

}  // namespace footfall::backup
