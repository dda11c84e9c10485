#include "cli/bench_command.h"
#include "cli/command_line.h"
#include "cli/count_command.h"
#include "cli/import_command.h"
#include "cli/keys_command.h"
#include "cli/version_command.h"
#include "server/configuration.h"
#include "server/export_command.h"
#include "server/import_tables_command.h"
#include "server/schema_command.h"
#include "server/serve_command.h"
#include "server/verify_command.h"

namespace {

footfall::Result<footfall::cli::CountingSettings> read_settings(const std::string& config) {
    TRY(auto configuration, footfall::server::read_configuration(config, {}));
    return footfall::cli::CountingSettings{
        .counters = std::move(configuration.counters), .rules = std::move(configuration.rules)
    };
}

}  // namespace

int main(int argc, char** argv) {
    footfall::cli::CommandLine command_line;
    footfall::server::add_serve(command_line);
    footfall::server::add_demo(command_line, argc > 0 ? argv[0] : "footfall");
    footfall::cli::add_import(command_line, read_settings);
    footfall::cli::add_count(command_line, read_settings);
    footfall::cli::add_keys(command_line);
    footfall::server::add_verify(command_line);
    footfall::server::add_schema(command_line);
    footfall::server::add_export(command_line);
    footfall::server::add_import_tables(command_line);
    footfall::cli::add_bench(command_line);
    footfall::cli::add_version(command_line);
    return command_line.run(argc, argv);
}
