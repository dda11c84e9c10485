#pragma once

#include "cli/command_line.h"

namespace footfall::cli {

/// `footfall segments report` and `reports`: what is counted of segments each day, of a running
/// server.
void add_segment_reports(CommandLine& command_line, CLI::App& group);

}  // namespace footfall::cli
