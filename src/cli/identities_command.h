#pragma once

#include "cli/command_line.h"

namespace footfall::cli {

/// `footfall identities undo` and `revoke`: what a source said of many profiles, or what operators
/// decided of them, taken back at a running server.
void add_identities(CommandLine& command_line);

}  // namespace footfall::cli
