#include "server/export_command.h"

#include "deployment/deployment.h"
#include "deployment/log_place.h"
#include "deployment/whole_rows.h"
#include "foundation/json_string.h"
#include "jobs/list.h"
#include "journal_rocksdb/moved_log.h"
#include "moving/export_tables.h"
#include "server/moving_options.h"

#include <fmt/format.h>

#include <string>

namespace footfall::server {
namespace {

void print_export(const MovingOptions& options, const moving::Exported& exported) {
    const moving::Manifest& manifest = exported.manifest;
    if (!options.json) {
        print_moving(fmt::format("{:<20} {:>14}  {}", "table", "rows", "checksum"));
        for (const moving::ExportedTable& table : manifest.tables) {
            print_moving(fmt::format(
                "{:<20} {:>14}  {}", table.name, table.tally.rows, table.tally.checksum()
            ));
        }
        if (exported.resumed_rows > 0) {
            print_moving(fmt::format("went on behind {} rows", exported.resumed_rows));
        }
        print_moving(
            fmt::format("exported {} rows of {} tables", manifest.rows(), manifest.tables.size())
        );
        return;
    }
    std::string tables;
    for (const moving::ExportedTable& table : manifest.tables) {
        tables += fmt::format(
            R"({}{{"name":{},"rows":{},"checksum":"{}"}})",
            tables.empty() ? "" : ",",
            json_string(table.name),
            table.tally.rows,
            table.tally.checksum()
        );
    }
    print_moving(fmt::format(
        R"({{"rows":{},"resumed_rows":{},"tables":[{}]}})",
        manifest.rows(),
        exported.resumed_rows,
        tables
    ));
}

/// Nothing is counted twice, or never, after a move: what the rows lack may not be left behind in a
/// log that stays.
Result<void> check_rows(const Configuration& configuration, storage::Store& store) {
    if (configuration.store == Configuration::Store::rocksdb) {
        TRY(const auto log, journal_rocksdb::MovedLog::open(store));
        return log ? deployment::check_rows_are_whole(store, *log, jobs::all()) : Result<void>{};
    }
    if (configuration.log_on_kafka) {
        TRY(const auto log, deployment::open_judged_log(configuration.kafka));
        return deployment::check_rows_are_whole(store, *log, jobs::all());
    }
    print_moving_note(
        "if this cluster has a log, --log kafka and --kafka look whether its rows have all of it"
    );
    return {};
}

Result<cli::ExitCode> run_export(const MovingOptions& options) {
    const SystemClock clock;
    metrics::Metrics metrics;
    TRY(const Configuration configuration, options.configuration());
    TRY(const auto store, MovingOptions::open(configuration, false, clock, metrics));
    TRY_VOID(check_rows(configuration, *store));
    MovingProgress progress{clock, std::nullopt};
    TRY(const moving::Exported exported,
        moving::export_tables(
            *store,
            deployment::Deployment::tables(jobs::all()),
            clock,
            {.directory = options.directory, .observe = progress.observer()}
        ));
    progress.clear();
    print_export(options, exported);
    return cli::ExitCode::ok;
}

}  // namespace

void add_export(cli::CommandLine& command_line) {
    add_moving_verb(
        command_line,
        "export",
        "Write all tables of a store into files, to move or to keep them",
        "The server that uses the store must be stopped. What was cut short goes on when it is run "
        "again.\n"
        "After a kill rows lack what stands in the log: that is refused, and the remedy is said.\n"
        "The files hold the deployment's secret: keep them as safe as the store.\n\n"
        "Examples:\n"
        "  footfall export ./moved --data ./footfall-data\n"
        "  footfall export ./moved --store cassandra --cassandra 10.0.0.1:9042 --log kafka --kafka "
        "10.0.0.1:9092\n",
        "Where to write: an empty directory, or an export that was cut short",
        SettingFlags::Which::logs,
        run_export
    );
}

}  // namespace footfall::server
