#pragma once

// For the tests: a directory with files as a data directory has them.

#include "backup/directory_depot.h"
#include "backup/restore.h"
#include "backup/take.h"
#include "foundation_testing/temporary_directory.h"
#include "moving/file.h"

#include <filesystem>
#include <map>
#include <string>

namespace footfall::backup {

inline constexpr std::uint64_t fake_format = 5;

/// The files below a folder: path and bytes.
inline std::map<std::string, std::string> files_below(const std::filesystem::path& folder) {
    std::map<std::string, std::string> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator{folder}) {
        if (entry.is_regular_file()) {
            files[entry.path().lexically_relative(folder).string()] = read_text(entry.path());
        }
    }
    return files;
}

inline Source source_of(const std::filesystem::path& directory, std::string deployment = "d") {
    return {
        .deployment = std::move(deployment),
        .format = fake_format,
        .log_id = 1,
        .log_records = 2,
        .freeze = [directory]() -> Result<Frozen> {
            const std::filesystem::path scratch = directory.parent_path() / "scratch";
            std::filesystem::create_directories(scratch);
            return Frozen{
                .directory = directory,
                .scratch = scratch,
                .history = 9,
                .block = 4,
                .past_from = 3,
                .past_to = 4
            };
        },
        .past_folder = "past",
        .write_beside = [](const std::filesystem::path& folder) -> Result<void> {
            TRY(moving::File file, moving::File::create(folder / "ledger"));
            return file.append("erased");
        }
    };
}

inline RestoreOptions restore_into(Depot& depot, const std::filesystem::path& target) {
    return {
        .depot = &depot,
        .name = {},
        .target = target,
        .format = fake_format,
        .folder = "restoring",
        .last_file = "CURRENT",
        .finish = [](const std::filesystem::path&) { return Result<void>{}; }
    };
}

}  // namespace footfall::backup
