#pragma once

#include "cli/command_line.h"
#include "cli/progress.h"
#include "foundation/clock.h"
#include "foundation/result.h"
#include "metrics/metrics.h"
#include "server/configuration.h"
#include "server/setting_flags.h"
#include "storage/store.h"

#include <CLI/App.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace footfall::server {

/// What `export` and `import-tables` have in common: `DIR [--data DIR | --store cassandra ...]`.
struct MovingOptions {
    std::shared_ptr<SettingFlags> flags;
    std::string directory;      ///< Of the export.
    std::string erasures = {};  ///< Of import-tables: a newer export, whose ledger is taken over.
    bool json = false;

    /// What the flags, the file and the environment say.
    Result<Configuration> configuration() const;

    /// Opens the store that is configured, with all tables and nothing that counts in them.
    /// `create`: a data directory is made if it is not there. `clock` and `metrics` must outlive
    /// it.
    static Result<std::unique_ptr<storage::Store>> open(
        const Configuration& configuration,
        bool create,
        const Clock& clock,
        metrics::Metrics& metrics
    );
};

/// A verb that was added, for further options of its own.
struct MovingVerb {
    CLI::App* verb = nullptr;
    std::shared_ptr<MovingOptions> options;
};

/// Adds a verb with these options, and the settings that `which` names.
MovingVerb add_moving_verb(
    cli::CommandLine& command_line,
    const char* name,
    const char* description,
    const char* example,
    const char* directory_help,
    SettingFlags::Which which,
    Result<cli::ExitCode> (*run)(const MovingOptions&)
);

/// What shows how many rows of `total` are done, on standard error, and clears it at its end.
class MovingProgress {
public:
    MovingProgress(const Clock& clock, std::optional<std::uint64_t> total);

    /// To be given to the work; this must outlive it.
    std::function<void(std::uint64_t)> observer();

    void clear() { progress_.clear(); }

private:
    cli::Progress progress_;
    std::optional<std::uint64_t> total_;
};

/// Prints a line to standard output.
void print_moving(const std::string& line);

/// Prints a line to standard error.
void print_moving_note(const std::string& line);

}  // namespace footfall::server
