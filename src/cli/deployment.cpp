#include "cli/deployment.h"

#include "keys/schema.h"
#include "moving/import_progress.h"
#include "storage/deployment.h"
#include "tokens/counter_registry.h"
#include "tokens/schema.h"
#include "tokens/token_set.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace footfall::cli {
namespace {

/// How the memory of a program is shared out. What is left, 5 %, is for connections and the
/// program itself.
struct MemoryPlan {
    std::size_t store_bytes;
    std::size_t jobs_bytes;   ///< Of counters, views, and what rules remember of repeats, by use,
    std::size_t least_bytes;  ///< but each at least so many.
    std::size_t rates_bytes;
};

MemoryPlan plan_memory(std::size_t memory_bytes, bool on_cluster) {
    const std::size_t percent = memory_bytes / 100;
    return {
        .store_bytes = percent * (on_cluster ? 25 : 48),
        .jobs_bytes = percent * (on_cluster ? 69 : 46),
        .least_bytes = percent * 3,
        .rates_bytes = percent
    };
}

/// An object is in memory as a whole: one at its limit has to fit into what counters may have.
/// Answers what the largest takes.
Result<std::size_t> check_limits(
    const std::vector<tokens::CounterConfig>& counters, const MemoryPlan& memory
) {
    std::size_t largest = 0;
    const std::size_t most = memory.jobs_bytes - 2 * memory.least_bytes;
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
        accounts.push_back({.of = "views", .audit = [&views = events->views()](std::size_t lane) {
                                return views.audit(lane);
                            }});
    }
    return accounts;
}

}  // namespace

std::vector<const storage::Table*> Deployment::tables() {
    std::vector<const storage::Table*> tables{
        &storage::deployment_table,
        &moving::import_progress_table,
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

Result<std::unique_ptr<Deployment>> Deployment::open(
    DeploymentOptions options, const Clock& clock, metrics::Metrics& metrics
) {
    const bool on_cluster = is_cluster(options.place);
    const MemoryPlan memory = plan_memory(options.memory_bytes, on_cluster);
    TRY(const std::size_t largest, check_limits(options.counters, memory));
    std::unique_ptr<Deployment> deployment{new Deployment};
    const std::array<std::size_t, 3> least{
        std::max(largest, memory.least_bytes), memory.least_bytes, memory.least_bytes
    };
    deployment->memory_ = std::make_unique<runtime::MemoryShares>(memory.jobs_bytes, least);
    runtime::MemoryShare& of_counters = deployment->memory_->share(0);
    runtime::MemoryShare& of_views = deployment->memory_->share(1);
    runtime::MemoryShare& of_repeats = deployment->memory_->share(2);
    StoreOptions store{
        .tables = tables(),
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
                 .render = options.render_event,
                 .views_memory = &of_views,
                 .rates_bytes = memory.rates_bytes,
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

}  // namespace footfall::cli
