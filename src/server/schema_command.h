#pragma once

#include "cli/command_line.h"

namespace footfall::server {

/// `footfall schema print`, `apply` and `check`: the tables of a cluster.
void add_schema(cli::CommandLine& command_line);

}  // namespace footfall::server
