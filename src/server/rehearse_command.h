#pragma once

#include "cli/command_line.h"

namespace footfall::server {

/// Adds `footfall backup rehearse` to the verbs of `group`: restores a backup beside, counts all of
/// it again, and removes it.
void add_rehearse(cli::CommandLine& command_line, CLI::App& group);

}  // namespace footfall::server
