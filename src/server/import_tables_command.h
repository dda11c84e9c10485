#pragma once

#include "cli/command_line.h"

namespace footfall::server {

/// Adds `footfall import-tables`: the files of an export into an empty store.
void add_import_tables(cli::CommandLine& command_line);

}  // namespace footfall::server
