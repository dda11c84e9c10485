#pragma once

#include "cli/command_line.h"

namespace footfall::cli {

/// `footfall segments add | remove | members`: ids in, out, and as they are.
void add_segment_members(CommandLine& command_line, CLI::App& group);

}  // namespace footfall::cli
