#pragma once

#include "api/web_assets.h"
#include "cli/command_line.h"

#include <string>

namespace footfall::server {

/// `footfall serve`: counts, until it is told to stop.
void add_serve(cli::CommandLine& command_line, api::WebAssets dashboard);

/// `footfall demo`: serves a data directory of its own with made-up traffic.
/// `program`: how this program was called, for the command that starts real counting.
void add_demo(cli::CommandLine& command_line, std::string program, api::WebAssets dashboard);

}  // namespace footfall::server
