#include "cli/data_directory.h"

#include "keys/schema.h"
#include "storage/deployment.h"
#include "tokens/counter_registry.h"
#include "tokens/schema.h"
#include "tokens/token_set.h"

#include <fmt/format.h>

#include <utility>

namespace footfall::cli {
namespace {

/// How the memory of a program is shared out. What is left, 5 %, is for connections and the
/// program itself.
struct MemoryShares {
    std::size_t store_bytes;
    std::size_t objects_bytes;
    std::size_t views_bytes;
    std::size_t guard_bytes;
};

MemoryShares share_out(std::size_t memory_bytes) {
    const std::size_t percent = memory_bytes / 100;
    return {
        .store_bytes = percent * 48,
        .objects_bytes = percent * 40,
        .views_bytes = percent * 5,
        .guard_bytes = percent * 2
    };
}

/// An object is in memory as a whole: one at its limit has to fit into the share.
Result<void> check_limits(
    const std::vector<tokens::CounterConfig>& counters, std::size_t objects_bytes
) {
    for (const tokens::CounterConfig& config : counters) {
        const std::size_t needed = tokens::most_bytes_a_token * config.limit;
        if (needed > objects_bytes) {
            return fail(
                ErrorKind::invalid_input,
                fmt::format(
                    "counter {}: an object at its limit of {} tokens takes {} MiB, and of the "
                    "memory {} MiB are for objects: lower the limit or give more memory",
                    config.name,
                    config.limit,
                    (needed >> 20) + 1,
                    objects_bytes >> 20
                )
            );
        }
    }
    return {};
}

std::vector<const storage::Table*> all_tables() {
    std::vector<const storage::Table*> tables{
        &storage::deployment_table,
        &keys::api_key_table,
        &tokens::counter_table,
        &tokens::token_table,
        &tokens::token_span_table,
        &tokens::token_object_table
    };
    const auto of_events = EventParts::tables();
    tables.insert(tables.end(), of_events.begin(), of_events.end());
    return tables;
}

}  // namespace

Result<std::unique_ptr<DataDirectory>> DataDirectory::open(
    DataDirectoryOptions options, const Clock& clock, metrics::Metrics& metrics
) {
    const MemoryShares memory = share_out(options.memory_bytes);
    TRY_VOID(check_limits(options.counters, memory.objects_bytes));
    std::unique_ptr<DataDirectory> directory{new DataDirectory};
    storage_rocksdb::RocksStoreOptions store{
        .directory = std::move(options.path),
        .create = options.create,
        .tables = all_tables(),
        .memory_budget_bytes = memory.store_bytes,
        .sync_interval = options.sync_interval,
        .on_block = std::move(options.on_block),
        .env = options.env
    };
    TRY(directory->store_, storage_rocksdb::RocksStore::open(std::move(store), clock, metrics));
    TRY(const SipKey secret, storage::load_secret(*directory->store_));
    TRY(directory->keys_, keys::KeyRegistry::open(*directory->store_, clock));
    TRY_VOID(tokens::register_counters(*directory->store_, options.counters));
    directory->counters_ = std::make_unique<tokens::TokenCounters>(
        *directory->store_,
        clock,
        secret,
        metrics,
        tokens::TokenCounters::Options{
            .counters = std::move(options.counters), .memory_bytes = memory.objects_bytes
        }
    );
    if (options.events) {
        TRY(directory->events_,
            EventParts::open(
                *directory->store_,
                clock,
                {.secret = secret,
                 .judges = options.judges,
                 .rules = std::move(options.rules),
                 .keep = options.keep_events,
                 .keep_addresses = options.keep_addresses,
                 .views_bytes = memory.views_bytes,
                 .guard_bytes = memory.guard_bytes}
            ));
    }
    return directory;
}

void DataDirectory::close() {
    if (events_) {
        events_->close();
    }
    store_->close();
}

DataDirectory::~DataDirectory() {
    if (store_) {
        close();
    }
}

}  // namespace footfall::cli
