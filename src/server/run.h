#pragma once

#include "api/web_assets.h"

namespace footfall::server {

/// The whole program: parses the command line, runs the verb, and answers the exit code. Its jobs
/// are jobs::all(); `dashboard` is what it serves to browsers.
int run(int argc, char** argv, const api::WebAssets& dashboard);

}  // namespace footfall::server
