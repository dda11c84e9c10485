#include "server/moving_options.h"

#include "deployment/deployment.h"
#include "deployment/store_place.h"
#include "jobs/list.h"
#include "server/configuration.h"

#include <cstdio>
#include <utility>

namespace footfall::server {
namespace {

Result<deployment::StorePlace> moving_place(const Configuration& configuration, bool create) {
    if (configuration.store == Configuration::Store::cassandra) {
        return configuration.cluster;
    }
    return deployment::DirectoryPlace{.path = configuration.data, .create = create};
}

}  // namespace

Result<Configuration> MovingOptions::configuration() const {
    return read_configuration(flags->config(), flags->given());
}

Result<std::unique_ptr<storage::Store>> MovingOptions::open(
    const Configuration& configuration, bool create, const Clock& clock, metrics::Metrics& metrics
) {
    TRY(const deployment::StorePlace place, moving_place(configuration, create));
    return deployment::open_store(
        place,
        {.tables = deployment::Deployment::tables(jobs::all()),
         .memory_bytes = configuration.memory_bytes / 2},
        clock,
        metrics
    );
}

MovingVerb add_moving_verb(
    cli::CommandLine& command_line,
    const char* name,
    const char* description,
    const char* example,
    const char* directory_help,
    SettingFlags::Which which,
    Result<cli::ExitCode> (*run)(const MovingOptions&)
) {
    auto options = std::make_shared<MovingOptions>();
    CLI::App& verb = command_line.add_verb(name, description, example, [options, run] {
        const Result<cli::ExitCode> done = run(*options);
        return done ? *done : cli::report(done.error());
    });
    verb.add_option("directory", options->directory, directory_help)->required()->type_name("DIR");
    options->flags = SettingFlags::add_to(verb, which);
    verb.add_flag("--json", options->json, "One JSON object");
    return {.verb = &verb, .options = std::move(options)};
}

MovingProgress::MovingProgress(const Clock& clock, std::optional<std::uint64_t> total)
    : progress_{clock, cli::standard_error_output()}, total_{total} {}

std::function<void(std::uint64_t)> MovingProgress::observer() {
    return [this](std::uint64_t rows) {
        // The bar goes by bytes; here each row is as good as another.
        progress_.update({.records = rows, .bytes_done = rows, .bytes_total = total_});
    };
}

void print_moving(const std::string& line) {
    std::fputs((line + "\n").c_str(), stdout);
}

void print_moving_note(const std::string& line) {
    std::fputs((line + "\n").c_str(), stderr);
}

}  // namespace footfall::server
