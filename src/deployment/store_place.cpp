#include "deployment/store_place.h"

#include "storage_rocksdb/rocks_store.h"

#include <utility>

namespace footfall::deployment {
namespace {

Result<std::unique_ptr<storage::Store>> open_directory(
    const DirectoryPlace& place, StoreOptions options, const Clock& clock, metrics::Metrics& metrics
) {
    return storage_rocksdb::RocksStore::open(
        {.directory = place.path,
         .create = place.create,
         .tables = std::move(options.tables),
         .memory_budget_bytes = options.memory_bytes,
         .sync_interval = place.sync_interval,
         .on_block = std::move(options.on_block),
         .past_log_bytes = place.past_log_bytes,
         .begin_history = place.begin_history,
         .env = place.env},
        clock,
        metrics
    );
}

}  // namespace

Result<std::unique_ptr<storage::Store>> open_store(
    const StorePlace& place, StoreOptions options, const Clock& clock, metrics::Metrics& metrics
) {
    if (const auto* directory = std::get_if<DirectoryPlace>(&place)) {
        return open_directory(*directory, std::move(options), clock, metrics);
    }
    return open_cluster(std::get<ClusterPlace>(place), std::move(options), clock, metrics);
}

}  // namespace footfall::deployment
