#include "cluster.h"

#include "foundation/check.h"
#include "storage_cassandra/schema.h"

#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <string>

namespace footfall::storage_cassandra {
namespace {

constexpr std::chrono::milliseconds patience{60'000};

std::string from_environment(const char* name) {
    const char* value = std::getenv(name);
    CHECK(
        value != nullptr,
        "there is no cluster: tools/cluster up --nodes 1, then source build/cluster/env",
        name
    );
    return value;
}

template <class T>
T must(Result<T> result) {
    CHECK(result, "the cluster", result ? "" : result.error().message);
    if constexpr (!std::is_void_v<T>) {
        return *std::move(result);
    }
}

}  // namespace

CassandraStoreOptions cluster_options(std::vector<const storage::Table*> tables) {
    return {
        .contacts = from_environment("FOOTFALL_CASSANDRA"),
        .datacenter = "dc1",
        .keyspace = "footfall_test",
        .tables = std::move(tables),
        .replication =
            must(storage::parse_replication(from_environment("FOOTFALL_CASSANDRA_REPLICATION"))),
        // What waits in a test waits for a busy machine, not for a dead one.
        .write_deadline = patience,
        .read_deadline = patience,
        .attempt = std::chrono::milliseconds{10'000}
    };
}

void empty_tables(
    const std::vector<const storage::Table*>& tables, const std::string& region_keyspace
) {
    const CassandraStoreOptions options = cluster_options(tables);
    const Keyspaces keyspaces{.all = options.keyspace, .of_region = region_keyspace};
    const auto driver = must(Driver::make(
        {.contacts = options.contacts,
         .datacenter = options.datacenter,
         .keyspaces = keyspaces.joined()}
    ));
    must(driver->connect(patience));
    const KeyspaceUse use{.keyspaces = keyspaces, .datacenter = options.datacenter};
    must(apply_schema(*driver, tables, use, options.replication));
    for (const storage::Table* table : tables) {
        const auto name = fmt::format("{}.{}", keyspaces.of(*table), table->name);
        const Answer one = must(driver->run(
            fmt::format("SELECT {} FROM {} LIMIT 1", table->partition[0].name, name), patience
        ));
        if (one.rows() > 0) {
            must(driver->run("TRUNCATE " + name, patience));
        }
    }
}

}  // namespace footfall::storage_cassandra
