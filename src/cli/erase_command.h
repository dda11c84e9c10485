#pragma once

#include "cli/command_line.h"

namespace footfall::cli {

/// Adds `footfall erase`: a profile or an actor, by a server, with how far it is until it is done.
void add_erase(CommandLine& command_line);

}  // namespace footfall::cli
