#pragma once

#include "cli/command_line.h"

namespace footfall::cli {

/// `footfall segments add | remove | list | members | count | overlap | webhooks`.
void add_segments(CommandLine& command_line);

}  // namespace footfall::cli
