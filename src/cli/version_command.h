#pragma once

#include "cli/command_line.h"

namespace footfall::cli {

/// The program's version: "0.1.0".
std::string program_version();

/// `footfall version`.
void add_version(CommandLine& command_line);

}  // namespace footfall::cli
