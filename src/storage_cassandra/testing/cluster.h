#pragma once

#include "storage/table.h"
#include "storage_cassandra/cassandra_store.h"

#include <string>
#include <vector>

namespace footfall::storage_cassandra {

/// How the cluster is reached that tools/cluster started: by FOOTFALL_CASSANDRA and
/// FOOTFALL_CASSANDRA_REPLICATION. Both missing is a failure, never a test left out.
CassandraStoreOptions cluster_options(std::vector<const storage::Table*> tables);

/// Makes these tables if they are not there, and empties those that are not empty; those of a
/// region in a keyspace of its own, if one is named.
void empty_tables(
    const std::vector<const storage::Table*>& tables, const std::string& region_keyspace = {}
);

}  // namespace footfall::storage_cassandra
