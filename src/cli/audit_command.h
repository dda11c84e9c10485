#pragma once

#include "cli/command_line.h"

namespace footfall::cli {

/// Adds `footfall audit verify|export|prove|head|key`.
void add_audit(CommandLine& command_line);

}  // namespace footfall::cli
