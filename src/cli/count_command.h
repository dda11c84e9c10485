#pragma once

#include "cli/command_line.h"
#include "cli/target_options.h"

namespace footfall::cli {

/// `footfall count OBJECT...`: asks for the counts of objects, or of all with --all.
void add_count(CommandLine& command_line, ReadSettings read_settings);

}  // namespace footfall::cli
