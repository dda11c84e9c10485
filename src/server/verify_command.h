#pragma once

#include "cli/command_line.h"

namespace footfall::server {

/// `footfall verify views`: holds stored numbers to the log they follow from.
void add_verify(cli::CommandLine& command_line);

}  // namespace footfall::server
