#include "deployment/deployment.h"

#include "audit/schema.h"
#include "deployment/log_claim.h"
#include "erasure/schema.h"
#include "foundation/check.h"
#include "foundation/log.h"
#include "foundation/secret_random.h"
#include "keys/schema.h"
#include "moving/import_progress.h"
#include "people/schema.h"
#include "storage/deployment.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

namespace footfall::deployment {
namespace {

/// How the memory of a program is shared out. What is left, a tenth, is for connections, the
/// program itself, and what the heap keeps for later.
struct MemoryPlan {
    std::size_t store_bytes;
    std::size_t jobs_bytes;      ///< Of jobs, and what rules remember of repeats, by use,
    std::size_t least_together;  ///< but each at least as much of this as the others.
    std::size_t rates_bytes;
    std::size_t id_filter_bytes;
};

MemoryPlan plan_memory(std::size_t memory_bytes, bool on_cluster) {
    const std::size_t percent = memory_bytes / 100;
    return {
        .store_bytes = percent * (on_cluster ? 25 : 38),
        .jobs_bytes = percent * (on_cluster ? 64 : 41),
        .least_together = percent * 20,
        .rates_bytes = percent,
        // On a cluster other processes write ids, too.
        .id_filter_bytes = on_cluster ? 0 : percent * 10
    };
}

/// On a cluster others add and revoke keys.
constexpr std::chrono::milliseconds keys_read_every{1000};

/// After a failure.
constexpr std::chrono::seconds key_care_again{10};

/// Of audit logs of other regions.
constexpr std::chrono::seconds heads_read_every{10};

bool is_cluster(const StorePlace& place) {
    return std::holds_alternative<ClusterPlace>(place);
}

std::string keyspace_of(const StorePlace& place) {
    return is_cluster(place) ? std::get<ClusterPlace>(place).keyspace : "none";
}

std::string region_of(const StorePlace& place) {
    return is_cluster(place) ? std::get<ClusterPlace>(place).region() : "";
}

}  // namespace

std::vector<const storage::Table*> Deployment::tables(jobs::List jobs) {
    std::vector<const storage::Table*> tables{
        &storage::deployment_table, &moving::import_progress_table, &keys::api_key_table
    };
    tables.insert(tables.end(), people::all_tables.begin(), people::all_tables.end());
    tables.insert(tables.end(), audit::all_tables.begin(), audit::all_tables.end());
    tables.insert(tables.end(), erasure::all_tables.begin(), erasure::all_tables.end());
    const auto of_events = EventParts::tables(jobs);
    tables.insert(tables.end(), of_events.begin(), of_events.end());
    return tables;
}

Result<std::unique_ptr<Deployment>> Deployment::open(
    DeploymentOptions options, const Clock& clock, metrics::Metrics& metrics
) {
    const bool on_cluster = is_cluster(options.place);
    std::unique_ptr<Deployment> deployment{new Deployment};
    deployment->region_ = region_of(options.place);
    TRY_VOID(deployment->share_memory(options));
    StoreOptions store{
        .tables = tables(options.jobs),
        .memory_bytes = plan_memory(options.memory_bytes, on_cluster).store_bytes,
        .on_block = std::move(options.on_block)
    };
    TRY(deployment->store_, open_store(options.place, std::move(store), clock, metrics));
    TRY_VOID(moving::check_whole(*deployment->store_));
    TRY(const SipKey secret, storage::load_secret(*deployment->store_));
    TRY(deployment->audit_,
        audit::Log::open(
            *deployment->store_,
            clock,
            {.secret = secret,
             .origin = storage::deployment_id(secret),
             .region = deployment->region_,
             .shared = on_cluster}
        ));
    TRY(deployment->keys_, keys::KeyRegistry::open(*deployment->store_, clock));
    if (options.open_jobs) {
        TRY(deployment->ledger_, erasure::Ledger::open(*deployment->store_, secret));
        TRY_VOID(deployment->open_people(clock, secret, options.reads, on_cluster));
        TRY_VOID(deployment->open_jobs(options, clock, secret, metrics));
        deployment->follow_heads();
    }
    if (on_cluster) {
        deployment->key_watch_ = std::make_unique<runtime::Watch>(
            runtime::Watch::Options{.what = "keys", .period = keys_read_every},
            [keys = deployment->keys_.get()] { return keys->reload(); }
        );
    }
    const std::size_t memory_bytes = options.memory_bytes;
    if (options.events && (!on_cluster || options.kafka)) {
        const auto keep_events = options.keep_events;
        TRY_VOID(deployment->open_events(std::move(options), clock, secret, metrics));
        TRY_VOID(deployment->open_eraser(clock, secret, on_cluster, keep_events));
    }
    deployment->watch_memory(memory_bytes, metrics);
    return deployment;
}

Result<void> Deployment::open_people(
    const Clock& clock, SipKey secret, const people::ReadTerms& terms, bool on_cluster
) {
    TRY(people_, people::People::open(*store_, clock, {.secret = secret, .shared = on_cluster}));
    TRY(day_keys_, people::DayKeys::open(*store_, clock, {.ttl = terms.ttl, .shared = on_cluster}));
    TRY(const auto salt, draw_secret<std::uint64_t>());
    read_door_ = std::make_unique<people::ReadDoor>(
        people_->sharers(),
        *day_keys_,
        clock,
        people::ReadDoor::Options{.secret = secret, .salt = salt, .sites = terms.sites}
    );
    if (on_cluster) {
        people_watch_ = std::make_unique<runtime::Watch>(
            runtime::Watch::Options{
                .what = "people",
                .period = people::People::read_every,
                .urgency = runtime::Urgency::work
            },
            [this] { return people_->read_changes(); }
        );
    }
    key_care_ = std::make_unique<people::KeyCare>(*day_keys_, *store_, clock);
    key_turns_ = std::make_unique<runtime::Turns>(
        "keys of reads",
        runtime::Urgency::background,
        [this](const std::stop_token&) -> runtime::Turns::Pause {
            const Result<void> done = key_care_->turn();
            if (!done) {
                log(LogLevel::warning, "keys of reads: {}", done.error().message);
            }
            return done ? people::KeyCare::usual_period : key_care_again;
        }
    );
    return {};
}

Result<void> Deployment::share_memory(const DeploymentOptions& options) {
    const MemoryPlan memory = plan_memory(options.memory_bytes, is_cluster(options.place));
    const std::size_t least_bytes = memory.least_together / (1 + options.jobs.size());
    std::vector<std::size_t> least(1 + options.jobs.size(), least_bytes);
    const std::size_t others_least = options.jobs.size() * least_bytes;
    for (std::size_t at = 0; at < options.jobs.size() && options.open_jobs; ++at) {
        const jobs::Registered& each = *options.jobs[at];
        if (each.least_memory != nullptr) {
            const jobs::Options* const asked = options_of(options.jobs_options, each);
            TRY(const std::size_t needed,
                each.least_memory(asked, memory.jobs_bytes - others_least));
            least[1 + at] = std::max(needed, least_bytes);
        }
    }
    memory_ = std::make_unique<runtime::MemoryShares>(memory.jobs_bytes, least);
    return {};
}

std::vector<runtime::MemoryShare*> Deployment::jobs_memory(jobs::List jobs) {
    std::vector<runtime::MemoryShare*> shares;
    shares.reserve(jobs.size());
    for (std::size_t at = 0; at < jobs.size(); ++at) {
        shares.push_back(&memory_->share(1 + at));
    }
    return shares;
}

/// Those that stand on the store alone.
Result<void> Deployment::open_jobs(
    const DeploymentOptions& options, const Clock& clock, SipKey secret, metrics::Metrics& metrics
) {
    const auto shares = jobs_memory(options.jobs);
    for (std::size_t at = 0; at < options.jobs.size(); ++at) {
        const jobs::Registered& registered = *options.jobs[at];
        if (registered.of_events) {
            continue;
        }
        TRY(auto job,
            registered.open(
                {.store = store_.get(),
                 .clock = &clock,
                 .metrics = &metrics,
                 .secret = secret,
                 .shared = is_cluster(options.place),
                 .options = options_of(options.jobs_options, registered),
                 .memory = shares[at],
                 .people = people_.get(),
                 .reads = options.reads,
                 .ledger = ledger_.get(),
                 .region = region_,
                 .acts = audit_.get()}
            ));
        CHECK(job->projection() == nullptr, "nobody tells it of events", registered.name);
        jobs_.push_back({.registered = &registered, .job = std::move(job)});
    }
    return {};
}

Result<void> Deployment::open_events(
    DeploymentOptions options, const Clock& clock, SipKey secret, metrics::Metrics& metrics
) {
    const MemoryPlan memory = plan_memory(options.memory_bytes, is_cluster(options.place));
    std::optional<ClusterLogs> logs;
    if (options.kafka) {
        TRY_VOID(claim_topics(
            *store_, {.keyspace = keyspace_of(options.place), .region = region_}, *options.kafka
        ));
        TRY(logs, open_cluster_logs(*options.kafka, metrics));
    }
    TRY(events_,
        EventParts::open(
            *store_,
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
             .jobs_options = std::move(options.jobs_options),
             .jobs_memory = jobs_memory(options.jobs),
             .render = options.render_event,
             .rates_bytes = memory.rates_bytes,
             .id_filter_bytes = memory.id_filter_bytes,
             .repeats_memory = &memory_->share(0),
             .reads = read_door_.get(),
             .read_terms = options.reads,
             .people = people_.get(),
             .ledger = ledger_.get(),
             .region = region_,
             .acts = audit_.get()}
        ));
    return {};
}

Result<void> Deployment::open_eraser(
    const Clock& clock,
    SipKey secret,
    bool on_cluster,
    std::optional<std::chrono::seconds> keep_events
) {
    if (!ledger_) {
        return {};
    }
    Eraser::Parts parts{
        .store = store_.get(),
        .ledger = ledger_.get(),
        .people = people_.get(),
        .log = &events_->log()
    };
    for (const OpenJob* const each : jobs()) {
        parts.jobs.push_back(each->job.get());
    }
    eraser_ = std::make_unique<Eraser>(
        std::move(parts),
        clock,
        Eraser::Options{
            .secret = secret, .shared = on_cluster, .keep_events = keep_events, .acts = audit_.get()
        }
    );
    TRY_VOID(eraser_->finish_restores());
    eraser_->start();
    return {};
}

std::vector<const OpenJob*> Deployment::jobs() const {
    std::vector<const OpenJob*> all;
    all.reserve(jobs_.size());
    for (const OpenJob& each : jobs_) {
        all.push_back(&each);
    }
    if (events_) {
        for (const OpenJob& each : events_->jobs()) {
            all.push_back(&each);
        }
    }
    return all;
}

/// Where there are several regions, their logs hold each other's heads.
void Deployment::follow_heads() {
    if (region_.empty()) {
        return;
    }
    head_turns_ = std::make_unique<runtime::Turns>(
        "audit",
        runtime::Urgency::background,
        [this](const std::stop_token&) -> runtime::Turns::Pause {
            const Result<std::size_t> entered = audit_->enter_heads();
            if (!entered && entered.error().kind != ErrorKind::unavailable) {
                log(LogLevel::warning,
                    "heads of the audit logs of other regions: {}",
                    entered.error().message);
            }
            return heads_read_every;
        }
    );
}

void Deployment::watch_memory(std::size_t memory_bytes, metrics::Metrics& metrics) {
    std::vector<runtime::AuditedAccount> accounts;
    for (const OpenJob* const each : jobs()) {
        std::ranges::move(each->job->accounts(), std::back_inserter(accounts));
    }
    memory_watch_ = std::make_unique<MemoryWatch>(
        memory_bytes,
        [this] { return people_ ? people_->sharers().bytes() : 0; },
        *memory_,
        std::move(accounts),
        metrics
    );
}

void Deployment::close() {
    key_watch_.reset();
    people_watch_.reset();
    key_turns_.reset();
    head_turns_.reset();
    memory_watch_.reset();
    if (eraser_) {
        eraser_->stop();
    }
    for (const OpenJob* const each : jobs()) {
        each->job->stop_answering();  // whoever does something by itself still has the store
    }
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
