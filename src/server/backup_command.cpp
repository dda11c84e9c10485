#include "server/backup_command.h"

#include "backup/place.h"
#include "backup/route.h"
#include "backup/verify.h"
#include "cli/server_backup.h"
#include "cli/server_options.h"
#include "deployment/backups.h"
#include "deployment/node_backups.h"
#include "foundation/json_string.h"
#include "server/backup_text.h"
#include "server/moving_options.h"
#include "server/rehearse_command.h"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::server {
namespace {

struct BackupOptions {
    std::shared_ptr<SettingFlags> flags;
    cli::ServerOptions server;
    const CLI::Option* by_server = nullptr;  ///< --server
    backup::Address to;
    std::string snapshot;                ///< Of a node of Cassandra; empty: of a data directory.
    std::vector<std::string> node_data;  ///< Where that node has its data.
    std::size_t keep = 0;                ///< 0: all.
    bool full = false;
    bool json = false;
};

struct PlaceOptions {
    backup::Address from;
    std::string name;
    bool json = false;
};

void print_made(
    std::string_view name,
    std::uint64_t files,
    std::uint64_t bytes,
    std::uint64_t copied_bytes,
    std::uint64_t removed
) {
    print_moving(fmt::format(
        "made the backup {}: {} files, {}, of which {} were copied",
        name,
        files,
        size_text(bytes),
        size_text(copied_bytes)
    ));
    if (removed > 0) {
        print_moving(fmt::format("removed {} older ones", removed));
    }
}

void print_taken(const BackupOptions& options, const backup::Taken& taken) {
    if (options.json) {
        print_moving(fmt::format(
            R"({{"backup":{},"copied_bytes":{},"removed":{}}})",
            json_of(taken.manifest),
            taken.copied_bytes,
            taken.removed
        ));
        return;
    }
    const backup::Manifest& manifest = taken.manifest;
    print_made(
        manifest.name, manifest.file_count(), manifest.bytes(), taken.copied_bytes, taken.removed
    );
}

/// The server makes it, where its settings say.
Result<cli::ExitCode> ask_server(const BackupOptions& options) {
    const SystemClock clock;
    ByteProgress progress{clock};
    cli::ServerBackupWish wish{
        .full = options.full,
        .progress = [show = progress.before_step()](
                        std::uint64_t done, std::uint64_t total
                    ) { static_cast<void>(show({.bytes_done = done, .bytes_total = total})); }
    };
    if (options.keep > 0) {
        wish.keep = options.keep;
    }
    TRY(const cli::ServerBackup made, cli::run_server_backup(options.server, wish));
    progress.clear();
    if (options.json) {
        print_moving(made.json);
    } else {
        print_made(made.name, made.files, made.bytes, made.copied_bytes, made.removed);
        print_moving(fmt::format("it is on the server's machine, in {}", made.directory));
    }
    return cli::ExitCode::ok;
}

Result<backup::Taken> back_up_directory(
    const Configuration& configuration, const Clock& clock, const backup::TakeOptions& terms
) {
    metrics::Metrics metrics;
    TRY(const auto store, MovingOptions::open(configuration, false, clock, metrics));
    return deployment::take_backup(*store, std::nullopt, clock, terms);
}

/// Of a data directory, or of a node's snapshot.
Result<cli::ExitCode> back_up_here(const BackupOptions& options) {
    const SystemClock clock;
    TRY(const Configuration configuration,
        read_configuration(options.flags->config(), options.flags->given()));
    ByteProgress progress{clock};
    TRY(const auto depot, backup::open_depot(options.to));
    backup::TakeOptions terms{
        .depot = depot.get(), .full = options.full, .before_step = progress.before_step()
    };
    if (options.keep > 0) {
        terms.keep = options.keep;
    }
    TRY(const backup::Taken taken,
        options.snapshot.empty()
            ? back_up_directory(configuration, clock, terms)
            : deployment::take_node_backup(
                  {.data = {options.node_data.begin(), options.node_data.end()},
                   .keyspace = configuration.cluster.keyspace,
                   .name = options.snapshot},
                  clock,
                  terms
              ));
    progress.clear();
    print_taken(options, taken);
    return cli::ExitCode::ok;
}

Result<cli::ExitCode> run_backup(const BackupOptions& options) {
    const bool by_server = options.by_server->count() > 0;
    if (by_server != options.to.place.empty()) {
        return fail(
            ErrorKind::invalid_input,
            "say where to: --to PLACE makes a backup of a data directory, or of a node's snapshot, "
            "there, and --server URL has the server make one where its setting backup_directory "
            "says. Run with --help for more "
            "information."
        );
    }
    if (options.snapshot.empty() != options.node_data.empty() ||
        (by_server && !options.snapshot.empty())) {
        return fail(
            ErrorKind::invalid_input,
            "of a snapshot of a Cassandra node a backup is made on that node: --snapshot NAME "
            "--node-data DIR --to DIR. Run with --help for more information."
        );
    }
    return by_server ? ask_server(options) : back_up_here(options);
}

Result<cli::ExitCode> run_list(const PlaceOptions& options) {
    TRY(const auto depot, backup::open_depot(options.from));
    TRY(const backup::Listing listing, backup::list(*depot));
    std::string rows;
    for (const backup::Manifest& manifest : listing.whole) {
        rows += (rows.empty() ? "" : ",") + json_of(manifest);
    }
    if (options.json) {
        print_moving(fmt::format(
            R"({{"backups":[{}],"moments":{}}})", rows, json_of(backup::spans_of(listing))
        ));
    } else {
        print_moving(fmt::format(
            "{:<24} {:<18} {:>7} {:>10} {:>14}", "backup", "deployment", "files", "size", "records"
        ));
        for (const backup::Manifest& manifest : listing.whole) {
            print_moving(fmt::format(
                "{:<24} {:<18} {:>7} {:>10} {:>14}",
                manifest.name,
                manifest.deployment,
                manifest.file_count(),
                size_text(manifest.bytes()),
                manifest.log_records
            ));
        }
        if (const auto spans = backup::spans_of(listing); !spans.empty()) {
            print_moving(fmt::format("restore --time: {}", backup::text_of(spans)));
        }
    }
    for (const std::string& why : listing.unusable) {
        print_moving_note(why);
    }
    return listing.unusable.empty() ? cli::ExitCode::ok : cli::ExitCode::failed;
}

Result<cli::ExitCode> run_verify(const PlaceOptions& options) {
    const SystemClock clock;
    ByteProgress progress{clock};
    TRY(const auto depot, backup::open_depot(options.from));
    TRY(const backup::Verified verified,
        backup::verify(*depot, options.name, progress.before_step()));
    progress.clear();
    std::string damage;
    for (const std::string& text : verified.damage) {
        damage += (damage.empty() ? "" : ",") + json_string(text);
        if (!options.json) {
            print_moving(text);
        }
    }
    if (options.json) {
        print_moving(fmt::format(
            R"({{"backups":{},"files":{},"bytes":{},"damage":[{}]}})",
            verified.backups,
            verified.files,
            verified.bytes,
            damage
        ));
    } else {
        print_moving(fmt::format(
            "verified {} backups, {} files, {}: {} damaged",
            verified.backups,
            verified.files,
            size_text(verified.bytes),
            verified.damage.size()
        ));
    }
    return verified.damage.empty() ? cli::ExitCode::ok : cli::ExitCode::failed;
}

/// A verb that looks at a place of backups.
CLI::App& add_place_verb(
    cli::CommandLine& command_line,
    CLI::App& group,
    const char* name,
    const char* description,
    const char* example,
    const std::shared_ptr<PlaceOptions>& options,
    Result<cli::ExitCode> (*run)(const PlaceOptions&)
) {
    CLI::App& verb = command_line.add_verb(group, name, description, example, [options, run] {
        const Result<cli::ExitCode> done = run(*options);
        return done ? *done : cli::report(done.error());
    });
    add_address(verb, options->from);
    verb.add_flag("--json", options->json, "One JSON object");
    return verb;
}

void add_verbs(cli::CommandLine& command_line, CLI::App& group) {
    add_place_verb(
        command_line,
        group,
        "list",
        "List the whole backups of a directory, the oldest first",
        "Backups that were cut short are none. Exits with 1 if the list of one is damaged.\n\n"
        "Example:\n"
        "  footfall backup list --from /mnt/backups\n",
        std::make_shared<PlaceOptions>(),
        run_list
    );
    auto options = std::make_shared<PlaceOptions>();
    CLI::App& verify = add_place_verb(
        command_line,
        group,
        "verify",
        "Hold every byte of backups to its checksum, and print what is damaged",
        "Exits with 1 if anything is: the file, and between which bytes.\n\n"
        "Examples:\n"
        "  footfall backup verify --from /mnt/backups\n"
        "  footfall backup verify --from /mnt/backups --backup 20261130T030000.000000Z\n",
        options,
        run_verify
    );
    add_rehearse(command_line, group);
    verify.add_option("--backup", options->name, "This one; all where it is left out")
        ->type_name("NAME");
}

}  // namespace

void add_backup(cli::CommandLine& command_line) {
    auto options = std::make_shared<BackupOptions>();
    CLI::App& verb = command_line.add_verb(
        "backup",
        "Make a backup of a data directory or a Cassandra node; list, verify, rehearse",
        "With --to the server that uses the directory must be stopped; with --server it makes the "
        "backup while\nit serves, where its setting backup_directory says. Files that the last "
        "backups there "
        "have already\nare named, not copied again. What was cut short is never listed, and "
        "removed "
        "by the next one.\nA backup holds the deployment's secret: keep it as safe as the "
        "directory.\n\n"
        "Examples:\n"
        "  footfall backup --to /mnt/backups --data ./footfall-data\n"
        "  footfall backup --to /mnt/backups --data ./footfall-data --keep 14\n"
        "  footfall backup --to s3://my-bucket/footfall --encryption-key ./backup.key --data "
        "./footfall-data\n"
        "  footfall backup --server http://127.0.0.1:8080 --keep 14\n"
        "  footfall backup --snapshot night --node-data /var/lib/cassandra/data --to "
        "/mnt/backups/node-1\n"
        "  footfall backup list --from /mnt/backups\n"
        "  footfall backup verify --from /mnt/backups\n"
        "  footfall backup rehearse --from /mnt/backups\n"
        "  footfall restore --from /mnt/backups --data ./restored\n",
        [options] {
            const Result<cli::ExitCode> done = run_backup(*options);
            return done ? *done : cli::report(done.error());
        }
    );
    verb.add_option(
            "--to",
            options->to.place,
            "Where backups are: a new directory or that of the last, or s3://BUCKET/PREFIX"
    )
        ->type_name("PLACE");
    add_key(verb, options->to);
    verb.add_option(
            "--snapshot",
            options->snapshot,
            "Of what `nodetool snapshot -t NAME KEYSPACE` made on this node, of "
            "--cassandra-keyspace"
    )
        ->type_name("NAME");
    verb.add_option(
            "--node-data", options->node_data, "With --snapshot: where the node has its data"
    )
        ->type_name("DIR")
        ->allow_extra_args(false);
    verb.add_option("--keep", options->keep, "Afterwards remove all but the newest so many")
        ->type_name("N")
        ->check(CLI::Range(1, 1'000'000));
    verb.add_flag("--full", options->full, "Copy what older backups have, too");
    options->by_server = options->server.add_to(verb);
    options->flags = SettingFlags::add_to(verb, SettingFlags::Which::place);
    verb.add_flag("--json", options->json, "One JSON object");
    add_verbs(command_line, verb);
}

}  // namespace footfall::server
