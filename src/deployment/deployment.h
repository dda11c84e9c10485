#pragma once

#include "audit/log.h"
#include "deployment/eraser.h"
#include "deployment/event_options.h"
#include "deployment/event_parts.h"
#include "deployment/log_place.h"
#include "deployment/memory_watch.h"
#include "deployment/open_job.h"
#include "deployment/store_place.h"
#include "foundation/clock.h"
#include "foundation/result.h"
#include "foundation/siphash.h"
#include "keys/key_registry.h"
#include "metrics/metrics.h"
#include "people/key_care.h"
#include "people/people.h"
#include "people/read_door.h"
#include "people/read_terms.h"
#include "runtime/memory_shares.h"
#include "runtime/turns.h"
#include "runtime/watch.h"
#include "storage/store.h"

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::deployment {

/// How to open a deployment.
struct DeploymentOptions {
    StorePlace place;
    /// Where the logs of events are; absent: in a directory's store, for a cluster nowhere.
    std::optional<KafkaPlace> kafka = {};
    /// Whether events are to be read or counted, for which the log is read from its checkpoints on.
    bool events = true;
    bool judges = true;                                       ///< See EventOptions.
    std::optional<std::string> rules = {};                    ///< See EventOptions.
    std::optional<RedisPlace> redis = {};                     ///< See EventOptions.
    std::optional<std::chrono::seconds> keep_events = {};     ///< See EventOptions.
    std::optional<std::chrono::seconds> keep_addresses = {};  ///< See EventOptions.
    RenderEvent* render_event = nullptr;                      ///< See EventOptions.
    /// What counts.
    jobs::List jobs = {};
    jobs::OptionsByJob jobs_options = {};
    /// Whoever opens the same deployment is to say the same: a shorter `ttl` destroys keys.
    people::ReadTerms reads = {};
    /// False: only their tables are made.
    bool open_jobs = true;
    /// For everything: 48 % for the store, 46 % by use for jobs and what rules remember of repeats,
    /// 1 % for what they remember of rates, the rest for connections and the program; on a cluster
    /// 25 % for writes on their way, and 69 % by use. `invalid_input` when a job needs more than
    /// that leaves (jobs::Registered::least_memory).
    std::size_t memory_bytes = 256 << 20;
    std::function<void(std::chrono::nanoseconds)> on_block = {};  ///< See StoreOptions.
};

/// An open deployment: the store with what counts in it, which is the secret, the API keys, the
/// jobs, and what events need. What `serve` serves, and what `import --data` and `count
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

    /// Closes the store first, so that nothing calls the jobs any more.
    ~Deployment();
    Deployment(const Deployment&) = delete;
    Deployment& operator=(const Deployment&) = delete;

    storage::Store& store() { return *store_; }

    keys::KeyRegistry& keys() { return *keys_; }

    /// Where administrative acts are recorded.
    audit::Log& audit() { return *audit_; }

    /// Erases people; null where nobody counts events.
    Eraser* eraser() { return eraser_.get(); }

    /// Only where jobs are open.
    people::People& people() { return *people_; }

    /// All jobs that are open: those that stand on the store alone, then those made of events.
    std::vector<const OpenJob*> jobs() const;

    /// The one of this name, which must be in the list, and stand on the store alone.
    jobs::Job& job(std::string_view name) { return job_of(jobs_, name); }

    /// Whether events are read or counted here.
    bool has_events() const { return events_ != nullptr; }

    /// Only where it has some.
    EventParts& events() { return *events_; }

private:
    Deployment() = default;

    Result<void> open_people(
        const Clock& clock, SipKey secret, const people::ReadTerms& terms, bool on_cluster
    );
    Result<void> share_memory(const DeploymentOptions& options);
    Result<void> open_jobs(
        const DeploymentOptions& options,
        const Clock& clock,
        SipKey secret,
        metrics::Metrics& metrics
    );
    Result<void> open_events(
        DeploymentOptions options, const Clock& clock, SipKey secret, metrics::Metrics& metrics
    );
    Result<void> open_eraser(
        const Clock& clock,
        SipKey secret,
        bool on_cluster,
        std::optional<std::chrono::seconds> keep_events
    );
    std::vector<runtime::MemoryShare*> jobs_memory(jobs::List jobs);
    void follow_heads();
    void watch_memory(std::size_t memory_bytes, metrics::Metrics& metrics);

    std::string region_;  ///< As of jobs::Floor, which outlives jobs.
    /// Of what rules remember of repeats, and of each job in the order of the list.
    std::unique_ptr<runtime::MemoryShares> memory_;
    std::unique_ptr<storage::Store> store_;
    std::unique_ptr<audit::Log> audit_;
    std::unique_ptr<keys::KeyRegistry> keys_;
    std::unique_ptr<erasure::Ledger> ledger_;      ///< Null where no jobs are open.
    std::unique_ptr<people::People> people_;       ///< Null where no jobs are open.
    std::unique_ptr<people::DayKeys> day_keys_;    ///< The same.
    std::unique_ptr<people::KeyCare> key_care_;    ///< The same.
    std::unique_ptr<people::ReadDoor> read_door_;  ///< The same.
    std::vector<OpenJob> jobs_;                    ///< Those that stand on the store alone.
    std::unique_ptr<EventParts> events_;
    std::unique_ptr<Eraser> eraser_;  ///< Null without events.
    std::unique_ptr<MemoryWatch> memory_watch_;
    std::unique_ptr<runtime::Watch> key_watch_;     ///< Null where no other process changes keys.
    std::unique_ptr<runtime::Watch> people_watch_;  ///< Null where none changes people.
    std::unique_ptr<runtime::Turns> key_turns_;     ///< Null where no jobs are open.
    std::unique_ptr<runtime::Turns> head_turns_;    ///< Null where there is one region.
};

}  // namespace footfall::deployment
