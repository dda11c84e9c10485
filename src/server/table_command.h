#pragma once

#include "cli/command_line.h"

namespace footfall::server {

/// Adds `footfall table`: which tables there are, and rows of any of them, decoded.
void add_table(cli::CommandLine& command_line);

}  // namespace footfall::server
