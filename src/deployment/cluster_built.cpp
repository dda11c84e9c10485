#include "deployment/cluster_schema.h"
#include "deployment/store_place.h"
#include "storage/deployment.h"
#include "storage_cassandra/cassandra_store.h"
#include "storage_cassandra/schema.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <utility>

namespace footfall::deployment {
namespace {

using storage_cassandra::CassandraStore;
using storage_cassandra::Driver;

/// Whoever asks of the schema is a person, who would rather be told than wait.
constexpr std::chrono::milliseconds connect_patience{10'000};

storage_cassandra::Keyspaces keyspaces_of(const ClusterPlace& place) {
    return {.all = place.keyspace, .of_region = place.region_keyspace};
}

Result<std::unique_ptr<Driver>> connect(const ClusterPlace& place) {
    TRY(std::unique_ptr<Driver> driver,
        Driver::make(
            {.contacts = place.contacts,
             .datacenter = place.datacenter,
             .keyspaces = keyspaces_of(place).joined(),
             .user = place.user,
             .password = place.password}
        ));
    TRY_VOID(driver->connect(connect_patience));
    return driver;
}

storage_cassandra::KeyspaceUse use_of(const ClusterPlace& place) {
    return {.keyspaces = keyspaces_of(place), .datacenter = place.datacenter};
}

}  // namespace

Result<std::unique_ptr<storage::Store>> open_cluster(
    const ClusterPlace& place, StoreOptions options, const Clock& clock, metrics::Metrics& metrics
) {
    const std::vector<const storage::Table*> none;
    std::vector<const storage::Table*> counts;
    std::ranges::copy_if(options.tables, std::back_inserter(counts), &storage::Table::may_be_old);
    return CassandraStore::open(
        {.contacts = place.contacts,
         .datacenter = place.datacenter,
         .keyspace = place.keyspace,
         .region_keyspace = place.region_keyspace,
         .user = place.user,
         .password = place.password,
         .tables = std::move(options.tables),
         .replication = place.replication,
         .write_queue_limit_bytes = options.memory_bytes,
         .on_durable = std::move(options.on_block),
         .local_one = place.count_at_one ? counts : none,
         .anywhere = place.remote_reads ? counts : none},
        clock,
        metrics
    );
}

std::vector<const storage::Table*> tables_on_cluster(std::vector<const storage::Table*> tables) {
    return storage_cassandra::with_own_tables(std::move(tables));
}

Result<std::vector<std::string>> cluster_schema(
    const ClusterPlace& place, const std::vector<const storage::Table*>& tables
) {
    std::vector<std::string> statements;
    if (!place.replication.empty()) {
        TRY(statements, storage_cassandra::create_keyspaces(use_of(place), place.replication));
    }
    const storage_cassandra::Keyspaces keyspaces = keyspaces_of(place);
    for (const storage::Table* table : storage_cassandra::with_own_tables(tables)) {
        statements.push_back(storage::create_table_cql(*table, keyspaces.of(*table)));
    }
    return statements;
}

Result<std::vector<std::string>> apply_cluster_schema(
    const ClusterPlace& place, const std::vector<const storage::Table*>& tables
) {
    TRY(const auto driver, connect(place));
    return storage_cassandra::apply_schema(
        *driver, storage_cassandra::with_own_tables(tables), use_of(place), place.replication
    );
}

Result<void> make_cluster_secret(
    const ClusterPlace& place, const std::vector<const storage::Table*>& tables
) {
    const SystemClock clock;
    metrics::Metrics metrics;
    TRY(const auto store,
        open_cluster(place, {.tables = tables, .memory_bytes = 1 << 20}, clock, metrics));
    TRY_VOID(storage::load_secret(*store));
    return {};
}

Result<ClusterDifferences> compare_cluster_schema(
    const ClusterPlace& place, const std::vector<const storage::Table*>& tables
) {
    TRY(const auto driver, connect(place));
    TRY(auto differences,
        storage_cassandra::compare_keyspaces(
            *driver, storage_cassandra::with_own_tables(tables), use_of(place)
        ));
    return ClusterDifferences{
        .missing = std::move(differences.missing), .conflicts = std::move(differences.conflicts)
    };
}

}  // namespace footfall::deployment
