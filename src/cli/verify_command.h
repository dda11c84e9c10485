#pragma once

#include "cli/command_line.h"

namespace footfall::cli {

/// `footfall verify views`: holds stored numbers to the log they follow from.
void add_verify(CommandLine& command_line);

}  // namespace footfall::cli
