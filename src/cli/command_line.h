#pragma once

#include "foundation/result.h"

#include <CLI/App.hpp>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace footfall::cli {

/// The exit codes of every verb.
enum class ExitCode { ok = 0, failed = 1, wrong_use = 2 };

/// The command line: verbs are added to `app`, each with a function that runs it. Whoever is parsed
/// last is run by `run`. Used by main() only.
class CommandLine {
public:
    CommandLine();

    CLI::App& app() { return app_; }

    /// Adds a verb; `example` stands below its --help. The options are to be added to what is
    /// answered.
    CLI::App& add_verb(
        const std::string& name,
        const std::string& description,
        const std::string& example,
        std::function<ExitCode()> action
    );

    /// A verb of verbs, such as `bench`: it does nothing itself.
    CLI::App& add_group(
        const std::string& name, const std::string& description, const std::string& example
    );

    /// The same as add_verb() above, within a group.
    CLI::App& add_verb(
        CLI::App& group,
        const std::string& name,
        const std::string& description,
        const std::string& example,
        std::function<ExitCode()> action
    );

    /// Parses and runs; answers the exit code of the process. Wrong use is 2, with a hint at
    /// --help.
    int run(int argc, char** argv);

private:
    CLI::App app_;
    std::function<ExitCode()> chosen_;
};

/// Prints "footfall: <message>" to standard error and answers the exit code for it.
ExitCode report(const Error& error);

}  // namespace footfall::cli
