#pragma once

#include "deployment/event_parts.h"
#include "deployment/key_watch.h"
#include "deployment/log_place.h"
#include "deployment/memory_watch.h"
#include "deployment/store_place.h"
#include "foundation/clock.h"
#include "foundation/result.h"
#include "keys/key_registry.h"
#include "metrics/metrics.h"
#include "runtime/memory_shares.h"
#include "storage/store.h"
#include "tokens/token_counters.h"

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace footfall::deployment {

/// How to open a deployment.
struct DeploymentOptions {
    StorePlace place;
    /// Where the logs of events are; absent: in a directory's store, for a cluster nowhere.
    std::optional<KafkaPlace> kafka = {};
    std::vector<tokens::CounterConfig> counters = {tokens::CounterConfig{}};
    /// Whether events are to be read or counted, for which the log is read from its checkpoints on.
    bool events = true;
    bool judges = true;                                       ///< See EventParts::Options.
    std::optional<std::string> rules = {};                    ///< See EventParts::Options.
    std::optional<EventParts::RedisPlace> redis = {};         ///< See EventParts::Options.
    std::optional<std::chrono::seconds> keep_events = {};     ///< See EventParts::Options.
    std::optional<std::chrono::seconds> keep_addresses = {};  ///< See EventParts::Options.
    EventParts::RenderEvent* render_event = nullptr;          ///< See EventParts::Options.
    /// What is made of judged events.
    jobs::List jobs = {};
    /// For everything: 48 % for the store, 46 % by use for the objects of counters, jobs, and what
    /// rules remember of repeats, 1 % for what they remember of rates, the rest for connections and
    /// the program; on a cluster 25 % for writes on their way, and 69 % by use. `invalid_input`
    /// when an object at its counter's limit does not fit.
    std::size_t memory_bytes = 256 << 20;
    std::function<void(std::chrono::nanoseconds)> on_block = {};  ///< See StoreOptions.
};

/// An open deployment: the store with what counts in it, which is the secret, the API keys, the
/// token counters, and what events need. What `serve` serves, and what `import --data` and `count
/// --data` work on. `clock` and `metrics` must outlive it.
class Deployment {
public:
    static Result<std::unique_ptr<Deployment>> open(
        DeploymentOptions options, const Clock& clock, metrics::Metrics& metrics
    );

    /// The tables of every store, wherever it is: what one place does not use has room there, too,
    /// so that all can be moved from any place to any other.
    static std::vector<const storage::Table*> tables(jobs::List jobs);

    /// Writes what is queued and answers everybody who waits; from then on writes are refused.
    /// Idempotent.
    void close();

    /// Closes the store first, so that nothing calls the counters any more.
    ~Deployment();
    Deployment(const Deployment&) = delete;
    Deployment& operator=(const Deployment&) = delete;

    storage::Store& store() { return *store_; }

    keys::KeyRegistry& keys() { return *keys_; }

    tokens::TokenCounters& counters() { return *counters_; }

    /// Whether events are read or counted here.
    bool has_events() const { return events_ != nullptr; }

    /// Only where it has some.
    EventParts& events() { return *events_; }

private:
    Deployment() = default;

    void watch_memory(metrics::Metrics& metrics);

    std::unique_ptr<runtime::MemoryShares> memory_;
    std::unique_ptr<storage::Store> store_;
    std::unique_ptr<keys::KeyRegistry> keys_;
    std::unique_ptr<tokens::TokenCounters> counters_;
    std::unique_ptr<EventParts> events_;
    std::unique_ptr<MemoryWatch> memory_watch_;
    std::unique_ptr<KeyWatch> key_watch_;  ///< Null where no other process changes keys.
};

}  // namespace footfall::deployment
