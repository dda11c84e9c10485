#pragma once

#include "cli/command_line.h"

namespace footfall::server {

/// Adds `footfall export`: all tables of a store into files.
void add_export(cli::CommandLine& command_line);

}  // namespace footfall::server
