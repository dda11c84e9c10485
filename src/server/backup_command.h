#pragma once

#include "cli/command_line.h"

namespace footfall::server {

/// Adds `footfall backup`, which makes one, and its verbs `list`, `verify` and `rehearse`.
void add_backup(cli::CommandLine& command_line);

}  // namespace footfall::server
