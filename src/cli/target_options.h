#pragma once

#include "foundation/result.h"
#include "tokens/counter_config.h"

#include <CLI/App.hpp>

#include <functional>
#include <string>
#include <vector>

namespace footfall::cli {

/// What a verb works on: a running server, or a data directory that no server has open, with the
/// counters that the configuration names. `--server URL | --data DIR [--config FILE]`, `--counter
/// NAME`.
struct TargetOptions {
    std::string server = "http://127.0.0.1:8080";
    std::string data;
    std::string config;
    std::string counter = "default";

    bool uses_directory() const { return !data.empty(); }

    /// Adds the options to a verb; this must outlive the parsing.
    void add_to(CLI::App& verb);
};

/// Reads the counters a configuration file names; without a file ("") those of the environment and
/// the defaults. Given to the verbs by `server`, which alone knows the configuration.
using ReadCounters =
    std::function<Result<std::vector<tokens::CounterConfig>>(const std::string& config)>;

}  // namespace footfall::cli
