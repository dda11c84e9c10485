#pragma once

#include "cli/command_line.h"

namespace footfall::cli {

/// `footfall bench counter`: puts load on a running server, tells how it bears it, and checks what
/// it counted.
void add_bench(CommandLine& command_line);

}  // namespace footfall::cli
