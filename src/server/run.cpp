#include "server/run.h"

#include "cli/audit_command.h"
#include "cli/bench_command.h"
#include "cli/command_line.h"
#include "cli/count_command.h"
#include "cli/erase_command.h"
#include "cli/identities_command.h"
#include "cli/import_command.h"
#include "cli/keys_command.h"
#include "cli/segments_command.h"
#include "cli/version_command.h"
#include "server/backup_command.h"
#include "server/configuration.h"
#include "server/export_command.h"
#include "server/import_tables_command.h"
#include "server/restore_command.h"
#include "server/schema_command.h"
#include "server/serve_command.h"
#include "server/table_command.h"
#include "server/verify_command.h"

namespace footfall::server {
namespace {

Result<cli::CountingSettings> read_settings(const std::string& config) {
    TRY(auto configuration, read_configuration(config, {}));
    return cli::CountingSettings{
        .jobs = std::move(configuration.jobs),
        .rules = std::move(configuration.rules),
        .reads = std::move(configuration.reads)
    };
}

}  // namespace

int run(int argc, char** argv, const api::WebAssets& dashboard) {
    cli::CommandLine command_line;
    add_serve(command_line, dashboard);
    add_demo(command_line, argc > 0 ? argv[0] : "footfall", dashboard);
    cli::add_import(command_line, read_settings);
    cli::add_count(command_line, read_settings);
    cli::add_keys(command_line);
    cli::add_identities(command_line);
    cli::add_audit(command_line);
    cli::add_erase(command_line);
    cli::add_segments(command_line);
    add_verify(command_line);
    add_table(command_line);
    add_schema(command_line);
    add_export(command_line);
    add_import_tables(command_line);
    add_backup(command_line);
    add_restore(command_line);
    cli::add_bench(command_line);
    cli::add_version(command_line);
    return command_line.run(argc, argv);
}

}  // namespace footfall::server
