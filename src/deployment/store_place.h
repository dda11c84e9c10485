#pragma once

#include "foundation/clock.h"
#include "foundation/result.h"
#include "metrics/metrics.h"
#include "storage/cql_schema.h"
#include "storage/store.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace rocksdb {
class Env;
}

namespace footfall::deployment {

/// A data directory: the embedded store. One process at a time.
struct DirectoryPlace {
    std::filesystem::path path;
    /// False: a directory that is not there is an error, for those who only ask.
    bool create = true;
    std::optional<std::chrono::milliseconds> sync_interval = {
    };  ///< Absent: every answer waits for its fdatasync.
    /// So much of what was written since the last backup is kept for restores to any moment; 0:
    /// nothing; absent: as before.
    std::optional<std::uint64_t> past_log_bytes = {};
    /// Of a backup that was restored: storage_rocksdb::RocksStoreOptions.
    bool begin_history = false;
    rocksdb::Env* env = nullptr;  ///< Tests only.
};

/// A keyspace of an Apache Cassandra cluster. Any number of processes.
struct ClusterPlace {
    std::string contacts = "127.0.0.1:9042";  ///< ADDRESS:PORT, separated by commas.
    std::string datacenter = "dc1";           ///< The nearest one, whose nodes are asked.
    std::string keyspace = "footfall";
    /// Where several regions share `keyspace`: where tables stand that are made anew in each
    /// (storage::Table::of_region). Empty: there is one region, and all tables are in `keyspace`.
    std::string region_keyspace = {};
    std::string user = {};  ///< Empty: no authentication.
    std::string password = {};
    /// What keyspaces and tables are made with if they are missing; empty: they have to be there.
    storage::Replication replication = {};
    /// Objects of counters are loaded from one replica, not from a quorum: counts may be a moment
    /// old, and go on while one replica of theirs is left.
    bool count_at_one = false;
    /// What counters ask of the nearest datacenter, another one may answer in need.
    bool remote_reads = false;

    /// The name of this region, where there are several; empty: there is one.
    std::string region() const { return region_keyspace.empty() ? "" : datacenter; }

    friend bool operator==(const ClusterPlace&, const ClusterPlace&) = default;
};

/// Where the rows of a deployment are.
using StorePlace = std::variant<DirectoryPlace, ClusterPlace>;

/// What a store is opened with, wherever it is.
struct StoreOptions {
    std::vector<const storage::Table*> tables;
    std::size_t memory_bytes;
    /// Called with how long writes took that became durable just now, on a thread of the store.
    std::function<void(std::chrono::nanoseconds)> on_block = {};
};

/// Opens the store of a place. Blocks. `invalid_input` for a cluster when this program was built
/// without Cassandra. `clock` and `metrics` must outlive it.
Result<std::unique_ptr<storage::Store>> open_store(
    const StorePlace& place, StoreOptions options, const Clock& clock, metrics::Metrics& metrics
);

/// The part of open_store() for a cluster.
Result<std::unique_ptr<storage::Store>> open_cluster(
    const ClusterPlace& place, StoreOptions options, const Clock& clock, metrics::Metrics& metrics
);

/// `tables` of a program, and those that the store of a cluster keeps for itself; none where this
/// program was built without Cassandra.
std::vector<const storage::Table*> tables_on_cluster(std::vector<const storage::Table*> tables);

}  // namespace footfall::deployment
