#pragma once

#include "backup/depot.h"
#include "backup/file_sums.h"
#include "foundation/clock.h"
#include "foundation/result.h"

#include <cstdint>
#include <string>
#include <string_view>
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
    std::string keyspace = {};      ///< Of a Cassandra node's snapshot; else empty.
    std::string snapshot = {};      ///< The name of that snapshot.
    std::vector<StoredFile> files = {};   ///< Of the data directory, or of the snapshot.
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

/// Where the folders of backups lie, seen from the place of backups.
inline constexpr std::string_view backups_folder = "backups";

/// "20261130T030413.123456Z".
std::string name_of(Instant taken);

/// Where the list of a backup and what stands beside it lie, seen from the place of backups.
std::string folder_of(std::string_view backup);

/// Where the list of a backup lies.
std::string manifest_name(std::string_view backup);

/// Writes the list of a backup as a whole, durably.
Result<void> write_manifest(Depot& depot, const Manifest& manifest);

/// `not_found` where there is none; `corrupt` when it is damaged or names what no backup holds;
/// `conflict` from a newer version; `invalid_input` when it is encrypted otherwise than the depot.
Result<Manifest> read_manifest(Depot& depot, std::string_view backup);

}  // namespace footfall::backup
