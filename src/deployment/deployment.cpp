#include "deployment/deployment.h"

#include "keys/schema.h"
#include "moving/import_progress.h"
#include "storage/deployment.h"
#include "tokens/counter_registry.h"
#include "tokens/schema.h"
#include "tokens/token_set.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace footfall::deployment {
namespace {

/// How the memory of a program is shared out. What is left, 5 %, is for connections and the
/// program itself.
struct MemoryPlan {
    std::size_t store_bytes;
    std::size_t jobs_bytes;   ///< Of counters, jobs, and what rules remember of repeats, by use,
    std::size_t least_bytes;  ///< but each at least so many.
    std::size_t rates_bytes;
    std::size_t id_filter_bytes;
};

MemoryPlan plan_memory(std::size_t memory_bytes, bool on_cluster) {
    const std::size_t percent = memory_bytes / 100;
    return {
        .store_bytes = percent * (on_cluster ? 25 : 43),
        .jobs_bytes = percent * (on_cluster ? 69 : 46),
        .least_bytes = percent * 3,
        .rates_bytes = percent,
        // On a cluster other processes write ids, too.
        .id_filter_bytes = on_cluster ? 0 : percent * 5
    };
}

/// An object is in memory as a whole: one at its limit has to fit into what counters may have.
/// Answers what the largest takes. `others`: so many share the memory with them.
Result<std::size_t> check_limits(
    const std::vector<tokens::CounterConfig>& counters, const MemoryPlan& memory, std::size_t others
) {
    std::size_t largest = 0;
    const std::size_t most = memory.jobs_bytes - others * memory.least_bytes;
    for (const tokens::CounterConfig& config : counters) {
        const std::size_t needed = tokens::most_bytes_a_token * config.limit;
        if (needed > most) {
            return fail(
                ErrorKind::invalid_input,
                fmt::format(
                    "counter {}: an object at its limit of {} tokens takes {} MiB, and of the "
                    "memory {} MiB are for objects: lower the limit or give more memory",
                    config.name,
                    config.limit,
                    (needed >> 20) + 1,
                    most >> 20
                )
            );
        }
        largest = std::max(largest, needed);
    }
    return largest;
}

/// On a cluster others put tokens on the same objects.
constexpr std::chrono::milliseconds others_seen_within{1000};
/// Few megabytes, also of long tokens; a node reads a partition as a whole when it compacts it.
constexpr std::size_t rows_a_partition_of_a_cluster = 10'000;
/// And they add and revoke keys.
constexpr std::chrono::milliseconds keys_read_every{1000};

bool is_cluster(const StorePlace& place) {
    return std::holds_alternative<ClusterPlace>(place);
}

/// What is counted anew from time to time; both outlive what is answered.
std::vector<AuditedAccount> accounts_of(tokens::TokenCounters& counters, EventParts* events) {
    std::vector<AuditedAccount> accounts;
    const auto add_counters = [&](std::string of, std::size_t tokens::MemoryUse::* figure) {
        accounts.push_back({.of = std::move(of), .audit = [&counters, figure](std::size_t lane) {
                                const tokens::MemoryAudit audit = counters.audit(lane);
                                return runtime::AccountAudit{
                                    .booked = audit.booked.*figure, .counted = audit.counted.*figure
                                };
                            }});
    };
    add_counters("counters", &tokens::MemoryUse::bytes);
    add_counters("small_counters", &tokens::MemoryUse::small);
    if (events != nullptr) {
        for (const EventParts::OpenJob& each : events->jobs()) {
            if (each.job->audit(0)) {
                accounts.push_back(
                    {.of = std::string{each.registered->name},
                     .audit = [&job = *each.job](std::size_t lane) { return *job.audit(lane); }}
                );
            }
        }
    }
    return accounts;
}

}  // namespace

std::vector<const storage::Table*> Deployment::tables(jobs::List jobs) {
    std::vector<const storage::Table*> tables{
        &storage::deployment_table,
        &moving::import_progress_table,
        &keys::api_key_table,
        &tokens::counter_table,
        &tokens::token_table,
        &tokens::token_span_table,
        &tokens::token_object_table
    };
    const auto of_events = EventParts::tables(jobs);
    tables.insert(tables.end(), of_events.begin(), of_events.end());
    return tables;
}

Result<std::unique_ptr<Deployment>> Deployment::open(
    DeploymentOptions options, const Clock& clock, metrics::Metrics& metrics
) {
    const bool on_cluster = is_cluster(options.place);
    const MemoryPlan memory = plan_memory(options.memory_bytes, on_cluster);
    // Counters, what rules remember of repeats, and each job.
    std::vector<std::size_t> least(2 + options.jobs.size(), memory.least_bytes);
    TRY(const std::size_t largest, check_limits(options.counters, memory, least.size() - 1));
    least[0] = std::max(largest, memory.least_bytes);
    std::unique_ptr<Deployment> deployment{new Deployment};
    deployment->memory_ = std::make_unique<runtime::MemoryShares>(memory.jobs_bytes, least);
    runtime::MemoryShare& of_counters = deployment->memory_->share(0);
    runtime::MemoryShare& of_repeats = deployment->memory_->share(1);
    std::vector<runtime::MemoryShare*> of_jobs;
    for (std::size_t at = 2; at < least.size(); ++at) {
        of_jobs.push_back(&deployment->memory_->share(at));
    }
    StoreOptions store{
        .tables = tables(options.jobs),
        .memory_bytes = memory.store_bytes,
        .on_block = std::move(options.on_block)
    };
    TRY(deployment->store_, open_store(options.place, std::move(store), clock, metrics));
    TRY_VOID(moving::check_whole(*deployment->store_));
    TRY(const SipKey secret, storage::load_secret(*deployment->store_));
    TRY(deployment->keys_, keys::KeyRegistry::open(*deployment->store_, clock));
    TRY_VOID(tokens::register_counters(*deployment->store_, options.counters));
    deployment->counters_ = std::make_unique<tokens::TokenCounters>(
        *deployment->store_,
        clock,
        secret,
        metrics,
        tokens::TokenCounters::Options{
            .counters = std::move(options.counters),
            .memory = &of_counters,
            .fresh_for = on_cluster ? std::optional{others_seen_within} : std::nullopt,
            .rows_a_partition = on_cluster ? rows_a_partition_of_a_cluster : 0
        }
    );
    if (on_cluster) {
        deployment->key_watch_ = std::make_unique<KeyWatch>(*deployment->keys_, keys_read_every);
    }
    if (options.events && (!on_cluster || options.kafka)) {
        std::optional<EventParts::ClusterLogs> logs;
        if (options.kafka) {
            TRY(logs, open_cluster_logs(*options.kafka));
        }
        TRY(deployment->events_,
            EventParts::open(
                *deployment->store_,
                clock,
                {.secret = secret,
                 .cluster = std::move(logs),
                 .metrics = &metrics,
                 .judges = options.judges,
                 .rules = std::move(options.rules),
                 .redis = std::move(options.redis),
                 .keep = options.keep_events,
                 .keep_addresses = options.keep_addresses,
                 .jobs = options.jobs,
                 .jobs_memory = std::move(of_jobs),
                 .render = options.render_event,
                 .rates_bytes = memory.rates_bytes,
                 .id_filter_bytes = memory.id_filter_bytes,
                 .repeats_memory = &of_repeats}
            ));
    }
    deployment->watch_memory(metrics);
    return deployment;
}

void Deployment::watch_memory(metrics::Metrics& metrics) {
    auto accounts = accounts_of(*counters_, events_.get());
    memory_watch_ = std::make_unique<MemoryWatch>(*memory_, std::move(accounts), metrics);
}

void Deployment::close() {
    key_watch_.reset();
    memory_watch_.reset();
    if (events_) {
        events_->close();
    }
    store_->close();
}

Deployment::~Deployment() {
    if (store_) {
        close();
    }
}

}  // namespace footfall::deployment
