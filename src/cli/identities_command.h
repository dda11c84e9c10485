#pragma once

#include "cli/command_line.h"

namespace footfall::cli {

/// `footfall identities undo`: what a source said of many profiles, taken back at a running server.
void add_identities(CommandLine& command_line);

}  // namespace footfall::cli
