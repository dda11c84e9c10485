#pragma once

#include <cstdint>
#include <string_view>

namespace footfall::storage_rocksdb {

/// Raised when a stored layout changes in a way that an older program would misread
/// (docs/formats/keys.md).
inline constexpr std::uint64_t directory_format = 5;
/// Older ones are not read: nothing that was released wrote them.
inline constexpr std::uint64_t oldest_directory_format = 5;

/// Without this file a directory is no data directory, whatever else it has.
inline constexpr std::string_view current_file = "CURRENT";

/// In a data directory: files of one moment, for a backup (RocksStore::link_files()).
inline constexpr std::string_view linked_folder = "linked";

/// In that folder: the write-ahead logs with what was written since the last backup.
inline constexpr std::string_view past_folder = "past";

/// In a data directory: what a restore has put there so far. While it is there the directory is not
/// opened.
inline constexpr std::string_view restoring_folder = "restoring";

}  // namespace footfall::storage_rocksdb
