#pragma once

#include "cli/command_line.h"

namespace footfall::cli {

/// `footfall keys add | list | revoke`: the API keys of a running server, or of a data directory
/// that no server has open.
void add_keys(CommandLine& command_line);

}  // namespace footfall::cli
