#pragma once

#include "cli/server_options.h"
#include "foundation/result.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace footfall::cli {

/// What a server is asked for.
struct ServerBackupWish {
    std::optional<std::size_t> keep = {};
    bool full = false;
    /// Told now and then how many bytes of how many are done.
    std::function<void(std::uint64_t, std::uint64_t)> progress;
};

/// What a server has made.
struct ServerBackup {
    std::string json;       ///< As the server says it.
    std::string name;       ///< Of the backup,
    std::string directory;  ///< which the server made there.
    std::uint64_t files = 0;
    std::uint64_t bytes = 0;
    std::uint64_t copied_bytes = 0;
    std::uint64_t removed = 0;
};

/// Asks a server for a backup and waits for its end. `conflict`: one is under way, or it makes
/// none. Blocks; asks the server each second.
Result<ServerBackup> run_server_backup(const ServerOptions& server, const ServerBackupWish& wish);

}  // namespace footfall::cli
