#pragma once

#include "cli/server_options.h"
#include "foundation/result.h"
#include "jobs/settings.h"
#include "people/read_terms.h"

#include <CLI/App.hpp>

#include <functional>
#include <optional>
#include <string>

namespace footfall::cli {

/// What a verb works on: a running server, or a data directory that no server has open, with the
/// counters that the configuration names. `--server URL [--key KEY] | --data DIR [--config FILE]`,
/// `--counter NAME`.
struct TargetOptions {
    ServerOptions server;
    std::string data;
    std::string config;
    std::string counter = "default";

    bool uses_directory() const { return !data.empty(); }

    /// Adds the options to a verb; this must outlive the parsing.
    void add_to(CLI::App& verb);
};

/// What a configuration says of how a data directory counts.
struct CountingSettings {
    jobs::OptionsByJob jobs = {};
    std::optional<std::string> rules = {};  ///< The rule file; absent: the standard rules.
    people::ReadTerms reads = {};
};

/// Reads what a configuration file says; without a file ("") the environment and the defaults.
/// Given to the verbs by `server`, which alone knows the configuration.
using ReadSettings = std::function<Result<CountingSettings>(const std::string& config)>;

}  // namespace footfall::cli
