#pragma once

#include "cli/command_line.h"

namespace footfall::cli {

/// Adds `webhooks list | add | remove | resume` to `footfall segments`.
void add_segment_webhooks(CommandLine& command_line, CLI::App& segments);

}  // namespace footfall::cli
