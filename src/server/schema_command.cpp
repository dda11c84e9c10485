#include "server/schema_command.h"

#include "deployment/cluster_schema.h"
#include "deployment/deployment.h"
#include "deployment/log_claim.h"
#include "deployment/store_place.h"
#include "foundation/clock.h"
#include "foundation/json_string.h"
#include "jobs/list.h"
#include "metrics/metrics.h"
#include "server/configuration.h"
#include "server/setting_flags.h"

#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace footfall::server {
namespace {

using cli::ExitCode;
using deployment::ClusterPlace;

/// What the verbs have in common.
struct SchemaOptions {
    std::shared_ptr<SettingFlags> flags;
    bool json = false;
    bool tables_only = false;  ///< Of apply: no secret, for a backup's is to be loaded.

    Result<Configuration> configuration() const {
        Settings settings = flags->given();
        settings.insert_or_assign("store", Setting{.text = "cassandra", .origin = "schema"});
        return read_configuration(flags->config(), settings);
    }

    Result<ClusterPlace> place() const {
        TRY(Configuration read, configuration());
        return std::move(read.cluster);
    }
};

void print(std::string_view line) {
    std::fputs(fmt::format("{}\n", line).c_str(), stdout);
}

std::string json_of(const std::vector<std::string>& texts) {
    std::string list;
    for (const std::string& text : texts) {
        list += list.empty() ? "" : ",";
        list += json_string(text);
    }
    return fmt::format("[{}]", list);
}

std::string count_of(std::size_t count, std::string_view what) {
    return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

/// The keyspaces, for people.
std::string names_of(const ClusterPlace& place) {
    return place.region_keyspace.empty()
               ? fmt::format("keyspace {}", place.keyspace)
               : fmt::format("keyspaces {} and {}", place.keyspace, place.region_keyspace);
}

/// The same as members of an object.
std::string names_json(const ClusterPlace& place) {
    std::string names = fmt::format(R"("keyspace":{})", json_string(place.keyspace));
    if (!place.region_keyspace.empty()) {
        names += fmt::format(R"(,"region_keyspace":{})", json_string(place.region_keyspace));
    }
    return names;
}

Result<ExitCode> print_schema(const SchemaOptions& options) {
    TRY(const ClusterPlace place, options.place());
    TRY(const auto statements,
        deployment::cluster_schema(place, deployment::Deployment::tables(jobs::all())));
    if (options.json) {
        print(fmt::format(R"({{{},"statements":{}}})", names_json(place), json_of(statements)));
        return ExitCode::ok;
    }
    if (place.replication.empty()) {
        print(fmt::format(
            "-- {}: say how many copies, --cassandra-replication dc1:3\n",
            place.region_keyspace.empty() ? "the keyspace itself" : "the keyspaces themselves"
        ));
    }
    for (const std::string& statement : statements) {
        print(statement + ";\n");
    }
    return ExitCode::ok;
}

Result<ExitCode> apply_schema(const SchemaOptions& options) {
    TRY(const ClusterPlace place, options.place());
    const auto tables = deployment::Deployment::tables(jobs::all());
    TRY(const auto made, deployment::apply_cluster_schema(place, tables));
    if (!options.tables_only) {
        TRY_VOID(deployment::make_cluster_secret(place, tables));
    }
    if (options.json) {
        print(fmt::format(R"({{{},"made":{}}})", names_json(place), json_of(made)));
        return ExitCode::ok;
    }
    for (const std::string& statement : made) {
        print(statement + ";\n");
    }
    print(fmt::format("{}: {} run", names_of(place), count_of(made.size(), "statement")));
    return ExitCode::ok;
}

/// What a verb asks of a keyspace that has all its tables.
class OpenKeyspace {
public:
    static Result<std::unique_ptr<OpenKeyspace>> open(ClusterPlace place) {
        auto keyspace = std::make_unique<OpenKeyspace>();
        place.replication.clear();
        constexpr std::size_t memory_bytes = 1 << 20;
        TRY(keyspace->store_,
            deployment::open_store(
                place,
                {.tables = deployment::Deployment::tables(jobs::all()), .memory_bytes = memory_bytes
                },
                keyspace->clock_,
                keyspace->metrics_
            ));
        return keyspace;
    }

    storage::Store& store() { return *store_; }

private:
    SystemClock clock_;
    metrics::Metrics metrics_;
    std::unique_ptr<storage::Store> store_;
};

/// Whose the topics are that the settings name; a conflict, or none.
Result<std::vector<std::string>> compare_topics(const Configuration& configuration) {
    TRY(const auto keyspace, OpenKeyspace::open(configuration.cluster));
    const Result<void> checked = deployment::check_topics(
        keyspace->store(),
        {.keyspace = configuration.cluster.keyspace, .region = configuration.cluster.region()},
        configuration.kafka
    );
    if (checked) {
        return std::vector<std::string>{};
    }
    if (checked.error().kind != ErrorKind::invalid_input) {
        return std::unexpected(checked.error());
    }
    return std::vector{checked.error().message};
}

Result<ExitCode> check_schema(const SchemaOptions& options) {
    TRY(const Configuration configuration, options.configuration());
    const ClusterPlace& place = configuration.cluster;
    TRY(auto differences,
        deployment::compare_cluster_schema(place, deployment::Deployment::tables(jobs::all())));
    if (configuration.log_on_kafka && differences.missing.empty() &&
        differences.conflicts.empty()) {
        TRY(differences.conflicts, compare_topics(configuration));
    }
    const std::size_t count = differences.missing.size() + differences.conflicts.size();
    if (options.json) {
        print(fmt::format(
            R"({{{},"missing":{},"conflicts":{}}})",
            names_json(place),
            json_of(differences.missing),
            json_of(differences.conflicts)
        ));
    } else {
        for (const std::string& conflict : differences.conflicts) {
            print(conflict);
        }
        for (const std::string& statement : differences.missing) {
            print("missing: " + statement);
        }
        print(fmt::format("{}: {}", names_of(place), count_of(count, "difference")));
    }
    return count == 0 ? ExitCode::ok : ExitCode::failed;
}

Result<ExitCode> give_new_topics(const SchemaOptions& options) {
    TRY(const Configuration configuration, options.configuration());
    const std::string& name = configuration.cluster.keyspace;
    TRY(const auto keyspace, OpenKeyspace::open(configuration.cluster));
    TRY(const auto before,
        deployment::move_to_topics(
            keyspace->store(),
            {.keyspace = name, .region = configuration.cluster.region()},
            configuration.kafka
        ));
    const std::string& prefix = configuration.kafka.prefix;
    if (options.json) {
        print(fmt::format(
            R"({{"keyspace":{},"prefix":{},"before":{}}})",
            json_string(name),
            json_string(prefix),
            before ? json_string(before->prefix) : "null"
        ));
    } else {
        print(fmt::format(
            "keyspace {}: its topics are {}* now{}",
            name,
            prefix,
            before ? fmt::format(
                         "; they were {}* of the Kafka cluster {}", before->prefix, before->cluster
                     )
                   : ""
        ));
    }
    return ExitCode::ok;
}

using Run = Result<ExitCode> (*)(const SchemaOptions&);

struct SchemaVerb {
    CLI::App* verb = nullptr;
    std::shared_ptr<SchemaOptions> options;
};

SchemaVerb add_schema_verb(
    cli::CommandLine& command_line,
    CLI::App& group,
    const char* name,
    const char* description,
    const char* example,
    Run run,
    SettingFlags::Which which = SettingFlags::Which::cluster
) {
    auto options = std::make_shared<SchemaOptions>();
    CLI::App& verb = command_line.add_verb(group, name, description, example, [options, run] {
        const Result<ExitCode> done = run(*options);
        return done ? *done : cli::report(done.error());
    });
    options->flags = SettingFlags::add_to(verb, which);
    verb.add_flag("--json", options->json, "One JSON object");
    return {.verb = &verb, .options = std::move(options)};
}

}  // namespace

void add_schema(cli::CommandLine& command_line) {
    CLI::App& group = command_line.add_group(
        "schema",
        "The tables of a Cassandra cluster",
        "Examples:\n"
        "  footfall schema print --cassandra-replication dc1:3\n"
        "  footfall schema apply --cassandra 10.0.0.1:9042 --cassandra-replication dc1:3\n"
        "  footfall schema check --config footfall.toml\n"
    );
    add_schema_verb(
        command_line,
        group,
        "print",
        "The statements that make keyspaces and tables; asks no cluster",
        "Examples:\n"
        "  footfall schema print --cassandra-replication dc1:3,dc2:1\n"
        "  footfall schema print --cassandra-keyspace counts --json\n",
        print_schema
    );
    const SchemaVerb apply = add_schema_verb(
        command_line,
        group,
        "apply",
        "Make what is missing: keyspaces, tables, columns",
        "Changes nothing that is there. To be run by one at a time, before servers start.\n\n"
        "Examples:\n"
        "  footfall schema apply --cassandra-replication dc1:3\n"
        "  footfall schema apply --cassandra-replication dc1:3,dc2:3 --cassandra-datacenter dc2 "
        "--cassandra-region-keyspace footfall_dc2\n"
        "  FOOTFALL_CASSANDRA_PASSWORD=... footfall schema apply --cassandra-user admin "
        "--cassandra-replication dc1:3\n",
        apply_schema
    );
    apply.verb->add_flag(
        "--tables-only",
        apply.options->tables_only,
        "Draw no secret: before a backup of nodes is loaded, which has the deployment's"
    );
    add_schema_verb(
        command_line,
        group,
        "check",
        "Every difference from what this version needs; exits with 1 if there is one",
        "With the log on Kafka also whose the topics are that the settings name.\n\n"
        "Examples:\n"
        "  footfall schema check --cassandra 10.0.0.1:9042 --json\n"
        "  footfall schema check --log kafka --kafka 10.0.0.1:9092\n",
        check_schema,
        SettingFlags::Which::cluster_logs
    );
    add_schema_verb(
        command_line,
        group,
        "new-topics",
        "Give a deployment other topics on Kafka, when those that it has are lost or given up",
        "For good, and while none of its processes runs. What was counted stays; what was not "
        "judged and counted\nyet stays behind, and so do the explanations of events.\n\n"
        "Example:\n"
        "  footfall schema new-topics --cassandra 10.0.0.1:9042 --kafka 10.0.0.1:9092 "
        "--kafka-prefix footfall-2.\n",
        give_new_topics,
        SettingFlags::Which::cluster_logs
    );
}

}  // namespace footfall::server
