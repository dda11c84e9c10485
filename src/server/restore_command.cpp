#include "server/restore_command.h"

#include "deployment/backups.h"
#include "deployment/deployment.h"
#include "deployment/node_backups.h"
#include "events/rfc3339.h"
#include "foundation/json_string.h"
#include "jobs/list.h"
#include "server/backup_text.h"
#include "server/configuration.h"
#include "server/moving_options.h"
#include "server/setting_flags.h"

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>

namespace footfall::server {
namespace {

struct RestoreOptions {
    std::shared_ptr<SettingFlags> flags;
    RestoredBackup which;
    std::string erasures;
    std::string tables;  ///< Where table files of a node's snapshot go; empty: a data directory.
    bool json = false;
};

void print_restored(const RestoreOptions& options, const deployment::Restored& restored) {
    const backup::Manifest& manifest = restored.manifest;
    if (options.json) {
        print_moving(fmt::format(
            R"({{"backup":{},"files":{},"bytes":{},"until":{},"blocks":{},"erased_ids":{}}})",
            json_string(manifest.name),
            manifest.files.size(),
            manifest.bytes(),
            restored.replayed ? json_string(events::format_rfc3339(restored.replayed->last.at))
                              : "null",
            restored.replayed ? restored.replayed->blocks : 0,
            restored.erased_ids ? std::to_string(*restored.erased_ids) : "null"
        ));
        return;
    }
    print_moving(fmt::format(
        "restored the backup {}: {} files, {}",
        manifest.name,
        manifest.files.size(),
        size_text(manifest.bytes())
    ));
    if (restored.replayed) {
        print_moving(fmt::format(
            "wrote {} blocks of what came after it, the last of {}",
            restored.replayed->blocks,
            events::format_rfc3339(restored.replayed->last.at)
        ));
    }
    if (restored.erased_ids) {
        print_moving(fmt::format(
            "took over {} erased ids: the next server leaves nothing of them before it answers",
            *restored.erased_ids
        ));
    }
}

/// The table files of a node's snapshot.
Result<cli::ExitCode> restore_tables(const RestoreOptions& options) {
    if (!options.which.time.empty() || !options.erasures.empty() ||
        options.flags->given().contains("data")) {
        return fail(
            ErrorKind::invalid_input,
            "--tables restores the snapshot of a node as it is: --data, --time and --erasures are "
            "of data directories"
        );
    }
    const SystemClock clock;
    ByteProgress progress{clock};
    TRY(const auto depot, backup::open_depot(options.which.from));
    TRY(const backup::Manifest manifest,
        deployment::restore_node_backup(
            {.depot = depot.get(),
             .name = options.which.name,
             .target = options.tables,
             .before_step = progress.before_step()}
        ));
    progress.clear();
    print_restored(options, {.manifest = manifest});
    return cli::ExitCode::ok;
}

Result<cli::ExitCode> run_restore(const RestoreOptions& options) {
    if (!options.tables.empty()) {
        return restore_tables(options);
    }
    const SystemClock clock;
    metrics::Metrics metrics;
    TRY(const Configuration configuration,
        read_configuration(options.flags->config(), options.flags->given()));
    if (configuration.store != Configuration::Store::rocksdb) {
        return fail(
            ErrorKind::invalid_input,
            "a backup of a data directory is restored into a data directory: --data says where; "
            "from there `footfall export` and `import-tables` lead onto a cluster"
        );
    }
    TRY(const std::optional<Instant> moment, options.which.moment());
    ByteProgress progress{clock};
    TRY(const auto depot, backup::open_depot(options.which.from));
    TRY(const deployment::Restored restored,
        deployment::restore_backup(
            {.depot = depot.get(),
             .name = options.which.name,
             .moment = moment,
             .target = configuration.data,
             .erasures = options.erasures,
             .tables = deployment::Deployment::tables(jobs::all()),
             .memory_bytes = configuration.memory_bytes / 2,
             .before_step = progress.before_step()},
            clock,
            metrics
        ));
    progress.clear();
    print_restored(options, restored);
    return cli::ExitCode::ok;
}

}  // namespace

void add_restore(cli::CommandLine& command_line) {
    auto options = std::make_shared<RestoreOptions>();
    CLI::App& verb = command_line.add_verb(
        "restore",
        "Restore a backup into an empty data directory, with every byte checked",
        "What was cut short begins anew when it is run again; until it is done no server opens the "
        "directory.\nWith --time it is as it was "
        "at that moment: all that was acknowledged by then, and nothing later; `backup list`\n"
        "says which moments there are.\nWho was erased since an older backup stays so: the ledger "
        "of the newest "
        "backup "
        "there is taken over.\n\n"
        "Examples:\n"
        "  footfall restore --from /mnt/backups --data ./restored\n"
        "  footfall restore --from /mnt/backups --backup 20261130T030000.000000Z --data "
        "./restored\n"
        "  footfall restore --from /mnt/backups --time 2026-11-30T15:04:05.250Z --data ./restored\n"
        "  footfall restore --from /mnt/backups --data ./restored --erasures ./newer-export\n"
        "  footfall restore --from /mnt/backups/node-1 --tables ./tables\n",
        [options] {
            const Result<cli::ExitCode> done = run_restore(*options);
            return done ? *done : cli::report(done.error());
        }
    );
    options->which.add_to(verb);
    verb.add_option(
            "--erasures",
            options->erasures,
            "A newer export of the same deployment: who was erased by then stays so"
    )
        ->type_name("DIR");
    verb.add_option(
            "--tables",
            options->tables,
            "Of a Cassandra node's snapshot: as DIR/KEYSPACE/TABLE, for `nodetool import`"
    )
        ->type_name("DIR");
    options->flags = SettingFlags::add_to(verb, SettingFlags::Which::place);
    verb.add_flag("--json", options->json, "One JSON object");
}

}  // namespace footfall::server
