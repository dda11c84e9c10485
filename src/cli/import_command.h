#pragma once

#include "cli/command_line.h"
#include "cli/target_options.h"

namespace footfall::cli {

/// `footfall import FILE...`: reads files of what happened and puts it into a server or a data
/// directory.
void add_import(CommandLine& command_line, ReadSettings read_settings);

}  // namespace footfall::cli
