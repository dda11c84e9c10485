#pragma once

#include "storage/table.h"
#include "storage_cassandra/cassandra_store.h"

#include <vector>

namespace footfall::storage_cassandra {

/// How the cluster is reached that tools/cluster started: by FOOTFALL_CASSANDRA and
/// FOOTFALL_CASSANDRA_REPLICATION. Both missing is a failure, never a test left out.
CassandraStoreOptions cluster_options(std::vector<const storage::Table*> tables);

/// Makes these tables if they are not there, and empties those that are not empty.
void empty_tables(const std::vector<const storage::Table*>& tables);

}  // namespace footfall::storage_cassandra
