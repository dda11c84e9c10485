#include "server/table_command.h"

#include "deployment/deployment.h"
#include "deployment/shown_tables.h"
#include "deployment/store_place.h"
#include "foundation/json_string.h"
#include "foundation/nearest_word.h"
#include "jobs/list.h"
#include "server/configuration.h"
#include "server/setting_flags.h"
#include "showing/conditions.h"
#include "showing/find_rows.h"
#include "showing/row_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::server {
namespace {

using cli::ExitCode;
using showing::RowsFound;
using showing::RowsWanted;
using showing::ShownTable;

struct TableOptions {
    std::shared_ptr<SettingFlags> flags;
    std::string table;  ///< Empty: which there are.
    std::vector<std::string> where;
    std::uint64_t rows_max = RowsWanted{}.rows_max;
    std::uint64_t looks_max = RowsWanted{}.looks_max;
    bool json = false;
};

void print_text(std::string_view text) {
    std::fwrite(text.data(), 1, text.size(), stdout);
}

/// For people, so that standard output holds nothing but rows.
void tell_person(std::string_view text) {
    std::fputs(fmt::format("footfall: {}\n", text).c_str(), stderr);
}

std::vector<std::string_view> names_of(const std::vector<storage::Column>& columns) {
    std::vector<std::string_view> names;
    names.reserve(columns.size());
    for (const storage::Column& column : columns) {
        names.push_back(column.name);
    }
    return names;
}

std::string json_of(const std::vector<std::string_view>& names) {
    return names.empty() ? "[]" : fmt::format(R"(["{}"])", fmt::join(names, R"(",")"));
}

void print_json(const storage::Table& table) {
    print_text(fmt::format(
        R"({{"table":"{}","purpose":{},"partition":{},"clustering":{},"values":{}}})"
        "\n",
        table.name,
        json_string(table.purpose),
        json_of(names_of(table.partition)),
        json_of(names_of(table.clustering)),
        json_of(names_of(table.values))
    ));
}

/// Which tables there are: name, what for, and the columns as the documents write them.
void print_tables(const std::vector<ShownTable>& tables, bool json) {
    for (const ShownTable& each : tables) {
        const storage::Table& table = *each.table;
        if (json) {
            print_json(table);
            continue;
        }
        print_text(fmt::format(
            "{}\n    {}\n    ({}{}{}) -> {}\n",
            table.name,
            table.purpose,
            fmt::join(names_of(table.partition), ", "),
            table.clustering.empty() ? "" : " | ",
            fmt::join(names_of(table.clustering), ", "),
            table.values.empty() ? "nothing"
                                 : fmt::to_string(fmt::join(names_of(table.values), ", "))
        ));
    }
}

Result<ShownTable> find_table(const std::vector<ShownTable>& tables, std::string_view name) {
    std::vector<std::string> names;
    for (const ShownTable& each : tables) {
        if (each.table->name == name) {
            return each;
        }
        names.emplace_back(each.table->name);
    }
    const std::string_view nearest = nearest_word(name, names);
    return fail(
        ErrorKind::invalid_input,
        fmt::format(
            "there is no table '{}'{}; there are {}",
            name,
            nearest.empty() ? "" : fmt::format(", did you mean '{}'?", nearest),
            fmt::join(names, ", ")
        )
    );
}

/// Opened to be read: nothing is made that is not there.
Result<std::unique_ptr<storage::Store>> open_to_read(
    const Configuration& configuration,
    const storage::Table& table,
    const Clock& clock,
    metrics::Metrics& metrics
) {
    const auto tables = deployment::Deployment::tables(jobs::all());
    deployment::StorePlace place;
    if (configuration.store == Configuration::Store::cassandra) {
        deployment::ClusterPlace cluster = configuration.cluster;
        cluster.replication.clear();
        place = std::move(cluster);
    } else if (std::ranges::find(tables, &table) == tables.end()) {
        return fail(
            ErrorKind::invalid_input,
            fmt::format("only a cluster has the table {}: --store cassandra", table.name)
        );
    } else {
        place = deployment::DirectoryPlace{.path = configuration.data, .create = false};
    }
    return deployment::open_store(
        place, {.tables = tables, .memory_bytes = configuration.memory_bytes / 4}, clock, metrics
    );
}

/// What a person has to know beside the rows that were printed.
void tell_end(const RowsWanted& wanted, const RowsFound& found) {
    const auto open = showing::open_partition(*wanted.table, wanted.conditions);
    if (found.end == RowsFound::End::rows_max) {
        tell_person(fmt::format("there may be more than these {} rows: --limit", found.rows));
    } else if (found.end == RowsFound::End::looks_max) {
        tell_person(fmt::format(
            "looked at {} rows of {} and stopped: --looks looks at more{}",
            found.looks,
            wanted.table->name,
            open.empty() ? ""
                         : fmt::format(
                               ", and with --where for {} too none is looked at in vain",
                               fmt::join(open, ", ")
                           )
        ));
    } else if (found.rows == 0) {
        tell_person(fmt::format("no row of {} is so", wanted.table->name));
    }
}

Result<void> show_rows(const TableOptions& options, const ShownTable& shown) {
    RowsWanted wanted{
        .table = shown.table, .rows_max = options.rows_max, .looks_max = options.looks_max
    };
    TRY(wanted.conditions, showing::parse_conditions(*shown.table, options.where));
    TRY(const Configuration configuration,
        read_configuration(options.flags->config(), options.flags->given()));
    const SystemClock clock;
    metrics::Metrics metrics;
    TRY(const auto store, open_to_read(configuration, *shown.table, clock, metrics));
    bool first = true;
    TRY(const RowsFound found, showing::find_rows(*store, wanted, [&](showing::RowInPage row) {
            if (options.json) {
                print_text(showing::row_json(row, shown.columns) + "\n");
            } else {
                print_text((first ? "" : "\n") + showing::row_text(row, shown.columns));
            }
            first = false;
        }));
    tell_end(wanted, found);
    return {};
}

Result<void> run_table(const TableOptions& options) {
    const std::vector<ShownTable> tables = deployment::shown_tables(jobs::all());
    if (options.table.empty()) {
        if (!options.where.empty()) {
            return fail(ErrorKind::invalid_input, "--where needs the name of a table");
        }
        print_tables(tables, options.json);
        return {};
    }
    TRY(const ShownTable shown, find_table(tables, options.table));
    return show_rows(options, shown);
}

}  // namespace

void add_table(cli::CommandLine& command_line) {
    auto options = std::make_shared<TableOptions>();
    CLI::App& verb = command_line.add_verb(
        "table",
        "Rows of any table, decoded; without a name which tables there are",
        "The rows of a partition are found at once when --where gives all columns before the '|' "
        "in "
        "the list of tables;\n"
        "else the table is looked through. Rows that have expired may be among them. The server "
        "that uses a\n"
        "directory must be stopped; those of a cluster may run on.\n\n"
        "Examples:\n"
        "  footfall table\n"
        "  footfall table view_total --where action=view object=post-1\n"
        "  footfall table token --where object=page-7 --limit 10 --data ./footfall-data\n"
        "  footfall table view_day --where object=post-1 day=2026-11-21 --json\n"
        "  footfall table lane_owner --store cassandra --cassandra 10.0.0.1:9042\n",
        [options] {
            const Result<void> done = run_table(*options);
            return done ? ExitCode::ok : cli::report(done.error());
        }
    );
    verb.add_option("table", options->table, "Which table; none: list them all")->type_name("NAME");
    verb.add_option(
            "--where",
            options->where,
            "Only rows with these values; a day as 2026-11-21, a time as 2026-11-21T10:00:00Z, "
            "bytes "
            "as a text or as 0x and digits"
    )
        ->type_name("COLUMN=VALUE");
    verb.add_option("--limit", options->rows_max, "At most so many rows")
        ->type_name("ROWS")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    verb.add_option("--looks", options->looks_max, "Look at no more rows than these")
        ->type_name("ROWS")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    options->flags = SettingFlags::add_to(verb, SettingFlags::Which::place);
    verb.add_flag("--json", options->json, "One JSON object a line");
}

}  // namespace footfall::server
