#pragma once

#include "cli/command_line.h"

namespace footfall::server {

/// Adds `footfall restore`: a backup into an empty data directory.
void add_restore(cli::CommandLine& command_line);

}  // namespace footfall::server
