#include "server/import_tables_command.h"

#include "deployment/deployment.h"
#include "deployment/restored_erasures.h"
#include "foundation/json_string.h"
#include "jobs/list.h"
#include "moving/import_tables.h"
#include "server/moving_options.h"

#include <fmt/format.h>

#include <string>
#include <string_view>

namespace footfall::server {
namespace {

std::string json_of(const moving::Tally& tally) {
    return fmt::format(R"({{"rows":{},"checksum":"{}"}})", tally.rows, tally.checksum());
}

void print_import_json(const moving::Imported& imported, std::uint64_t rows) {
    std::string tables;
    for (const moving::ImportedTable& table : imported.tables) {
        tables += fmt::format(
            R"({}{{"name":{},"rows":{},"equal":{},"expected":{},"found":{}}})",
            tables.empty() ? "" : ",",
            json_string(table.name),
            table.rows,
            table.verified.equal(),
            json_of(table.verified.expected),
            json_of(table.verified.found)
        );
    }
    print_moving(fmt::format(
        R"({{"rows":{},"resumed_rows":{},"was_done":{},"equal":{},"tables":[{}]}})",
        rows,
        imported.resumed_rows,
        imported.was_done,
        imported.equal(),
        tables
    ));
}

void print_import(const moving::Imported& imported, std::uint64_t rows) {
    if (imported.was_done) {
        print_moving(fmt::format("all {} rows were imported and verified before", rows));
        return;
    }
    print_moving(fmt::format("{:<20} {:>14} {:>14}  {}", "table", "expected", "found", "checksum"));
    for (const moving::ImportedTable& table : imported.tables) {
        const bool equal = table.verified.equal();
        print_moving(fmt::format(
            "{:<20} {:>14} {:>14}  {}",
            table.name,
            table.verified.expected.rows,
            table.verified.found.rows,
            equal ? table.verified.found.checksum() : "DIFFERS"
        ));
    }
    if (imported.resumed_rows > 0) {
        print_moving(fmt::format("went on behind {} rows", imported.resumed_rows));
    }
    constexpr std::string_view differs =
        "what differs was written by somebody else: import again, into an empty store";
    print_moving(fmt::format(
        "imported {} rows of {} tables: {}",
        rows,
        imported.tables.size(),
        imported.equal() ? "the store holds what the export says" : differs
    ));
}

Result<cli::ExitCode> run_import_tables(const MovingOptions& options) {
    const SystemClock clock;
    metrics::Metrics metrics;
    TRY(const moving::Manifest manifest, moving::read_manifest(options.directory));
    TRY(const Configuration configuration, options.configuration());
    TRY(const auto store, MovingOptions::open(configuration, true, clock, metrics));
    // Each row is written and then read.
    MovingProgress progress{clock, 2 * manifest.rows()};
    TRY(const moving::Imported imported,
        moving::import_tables(
            *store,
            deployment::Deployment::tables(jobs::all()),
            clock,
            {.directory = options.directory, .observe = progress.observer()}
        ));
    progress.clear();
    if (options.json) {
        print_import_json(imported, manifest.rows());
    } else {
        print_import(imported, manifest.rows());
    }
    if (!imported.equal()) {
        return cli::ExitCode::failed;
    }
    if (!options.erasures.empty()) {
        TRY(const std::size_t ids, deployment::restore_erasures(*store, options.erasures, clock));
        print_moving_note(fmt::format(
            "took over {} erased ids: the next server leaves nothing of them before it answers", ids
        ));
    }
    return cli::ExitCode::ok;
}

}  // namespace

void add_import_tables(cli::CommandLine& command_line) {
    const MovingVerb added = add_moving_verb(
        command_line,
        "import-tables",
        "Write all tables of an export into an empty store, and verify it",
        "No server may use the store yet. What was cut short goes on when it is run again. Exits "
        "with 1 "
        "if a table\nthen does not hold what the export says.\n\n"
        "Examples:\n"
        "  footfall import-tables ./moved --store cassandra --cassandra 10.0.0.1:9042 "
        "--cassandra-replication dc1:3\n"
        "  footfall import-tables ./moved --data ./footfall-data\n"
        "  footfall import-tables ./monday --erasures ./friday --data ./restored\n",
        "The directory that `footfall export` wrote",
        SettingFlags::Which::place,
        run_import_tables
    );
    added.verb
        ->add_option(
            "--erasures",
            added.options->erasures,
            "A newer export of the same deployment: who was erased since the first stays so"
        )
        ->type_name("DIR");
}

}  // namespace footfall::server
