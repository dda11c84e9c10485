#pragma once

#include "cli/command_line.h"

namespace footfall::server {

/// `footfall serve`: counts, until it is told to stop.
void add_serve(cli::CommandLine& command_line);

/// `footfall demo`: serves a data directory of its own with made-up traffic.
void add_demo(cli::CommandLine& command_line);

}  // namespace footfall::server
