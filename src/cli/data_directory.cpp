#include "cli/data_directory.h"

#include "storage/deployment.h"
#include "tokens/counter_registry.h"
#include "tokens/schema.h"

#include <utility>

namespace footfall::cli {

Result<std::unique_ptr<DataDirectory>> DataDirectory::open(
    DataDirectoryOptions options, const Clock& clock, metrics::Metrics& metrics
) {
    std::unique_ptr<DataDirectory> directory{new DataDirectory};
    storage_rocksdb::RocksStoreOptions store{
        .directory = std::move(options.path),
        .create = options.create,
        .tables =
            {&storage::deployment_table,
             &tokens::counter_table,
             &tokens::token_table,
             &tokens::token_span_table,
             &tokens::token_object_table},
        .memory_budget_bytes = options.memory_budget_bytes,
        .sync_interval = options.sync_interval,
        .on_block = std::move(options.on_block),
        .env = options.env
    };
    TRY(directory->store_, storage_rocksdb::RocksStore::open(std::move(store), clock, metrics));
    TRY(const SipKey secret, storage::load_secret(*directory->store_));
    TRY_VOID(tokens::register_counters(*directory->store_, options.counters));
    directory->counters_ = std::make_unique<tokens::TokenCounters>(
        *directory->store_,
        clock,
        secret,
        metrics,
        tokens::TokenCounters::Options{.counters = std::move(options.counters)}
    );
    return directory;
}

DataDirectory::~DataDirectory() {
    if (store_) {
        store_->close();
    }
}

}  // namespace footfall::cli
