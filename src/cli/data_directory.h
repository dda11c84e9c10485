#pragma once

#include "cli/event_parts.h"
#include "foundation/clock.h"
#include "foundation/result.h"
#include "keys/key_registry.h"
#include "metrics/metrics.h"
#include "storage_rocksdb/rocks_store.h"
#include "tokens/token_counters.h"

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace rocksdb {
class Env;
}

namespace footfall::cli {

/// How to open a data directory.
struct DataDirectoryOptions {
    std::filesystem::path path;
    /// False: a directory that is not there is an error, for those who only ask.
    bool create = true;
    std::vector<tokens::CounterConfig> counters = {tokens::CounterConfig{}};
    /// Whether events are to be read or counted, for which the log is read from its checkpoints on.
    bool events = true;
    bool judges = true;                                       ///< See EventParts::Options.
    std::optional<std::string> rules = {};                    ///< See EventParts::Options.
    std::optional<std::chrono::seconds> keep_events = {};     ///< See EventParts::Options.
    std::optional<std::chrono::seconds> keep_addresses = {};  ///< See EventParts::Options.
    std::optional<std::chrono::milliseconds> sync_interval = {
    };  ///< Absent: every answer waits for its fdatasync.
    /// For everything: 48 % for the store, 40 % for the objects of counters, 5 % for views, 2 % for
    /// what rules remember, the rest for connections and the program. `invalid_input` when an
    /// object at its counter's limit does not fit.
    std::size_t memory_bytes = 256 << 20;
    std::function<void(std::chrono::nanoseconds)> on_block = {};  ///< See RocksStoreOptions.
    rocksdb::Env* env = nullptr;                                  ///< Tests only.
};

/// An open data directory with what counts in it: the embedded store, the deployment's secret, the
/// API keys, the token counters, and what events need. What `serve` serves, and what `import
/// --data` and `count
/// --data` work on. One process a directory. `clock` and `metrics` must outlive it.
class DataDirectory {
public:
    static Result<std::unique_ptr<DataDirectory>> open(
        DataDirectoryOptions options, const Clock& clock, metrics::Metrics& metrics
    );

    /// Writes what is queued and answers everybody who waits; from then on writes are refused.
    /// Idempotent.
    void close();

    /// Closes the store first, so that nothing calls the counters any more.
    ~DataDirectory();
    DataDirectory(const DataDirectory&) = delete;
    DataDirectory& operator=(const DataDirectory&) = delete;

    storage_rocksdb::RocksStore& store() { return *store_; }

    keys::KeyRegistry& keys() { return *keys_; }

    tokens::TokenCounters& counters() { return *counters_; }

    /// Only where the options asked for events.
    EventParts& events() { return *events_; }

private:
    DataDirectory() = default;

    std::unique_ptr<storage_rocksdb::RocksStore> store_;
    std::unique_ptr<keys::KeyRegistry> keys_;
    std::unique_ptr<tokens::TokenCounters> counters_;
    std::unique_ptr<EventParts> events_;
};

}  // namespace footfall::cli
