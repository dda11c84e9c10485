#include "deployment/event_parts.h"

#include "deployment/cluster_events.h"
#include "deployment/embedded_events.h"
#include "deployment/open_rules.h"
#include "foundation/check.h"
#include "foundation/siphash.h"
#include "guard/rule_registry.h"
#include "intake/schema.h"
#include "journal_rocksdb/schema.h"
#include "owners/schema.h"
#include "projecting/schema.h"

#include <fmt/format.h>

#include <utility>

namespace footfall::deployment {
namespace {

guard_redis::RedisRates::Options redis_options(
    const RedisPlace& place, SipKey secret, std::uint64_t log
) {
    return {
        .address = place.address,
        .port = place.port,
        .deployment = fmt::format("{:016x}", siphash13(secret, "deployment of shared rates")),
        .log = log
    };
}

}  // namespace

std::vector<const storage::Table*> EventParts::tables(jobs::List jobs) {
    std::vector<const storage::Table*> tables{
        &journal_rocksdb::log_block_table,
        &journal_rocksdb::log_lane_table,
        &journal_rocksdb::log_begin_table,
        &intake::event_by_id_table,
        &intake::guard_seen_table,
        &intake::lane_checkpoint_table,
        &intake::rules_memory_table,
        &projecting::projection_checkpoint_table,
        &owners::lane_owner_table,
        &guard::rule_set_table
    };
    for (const jobs::Registered* const each : jobs) {
        for (const storage::Table* const table : each->tables) {
            if (std::ranges::find(tables, table) ==
                tables.end()) {  // rankings of several jobs share theirs
                tables.push_back(table);
            }
        }
    }
    return tables;
}

/// A job may stand on one that was opened before it.
EventParts::~EventParts() {
    intake_.reset();
    host_.reset();
    while (!jobs_.empty()) {
        jobs_.pop_back();
    }
}

Result<std::unique_ptr<EventParts>> EventParts::open(
    storage::Store& store, const Clock& clock, EventOptions options
) {
    if (options.cluster) {
        return ClusterEvents::open(store, clock, std::move(options));
    }
    return EmbeddedEvents::open(store, clock, options);
}

Result<intake::Context> EventParts::open_shared(
    storage::Store& store, const Clock& clock, const EventOptions& options
) {
    TRY(guard::RuleSet rules, open_rules(store, clock, options));
    if (options.redis && options.is_judge()) {
        shared_rates_ = std::make_unique<guard_redis::RedisRates>(
            redis_options(*options.redis, options.secret, log_->id())
        );
    }
    rates_ = std::make_unique<guard::RateState>(options.secret, options.rates_bytes);
    TRY_VOID(open_jobs(store, clock, options));
    std::vector<intake::KeptEvents*> kept_events;
    for (const OpenJob& each : jobs_) {
        if (intake::KeptEvents* const kept = each.job->kept_events()) {
            kept_events.push_back(kept);
        }
    }
    return intake::Context{
        .store = &store,
        .log = log_.get(),
        .clock = &clock,
        .secret = options.secret,
        .rules = std::make_shared<const guard::RuleSet>(std::move(rules)),
        .rates = rates_.get(),
        .shared_rates = shared_rates_.get(),
        .host = host_.get(),
        .repeats_memory = options.repeats_memory,
        .kept_events = std::move(kept_events),
        .keep_addresses = options.keep_addresses,
        .reads = options.reads
    };
}

Result<void> EventParts::open_jobs(
    storage::Store& store, const Clock& clock, const EventOptions& options
) {
    std::vector<projecting::ProjectionHost::Registered> projections;
    const identities::Settling* settling = nullptr;
    for (std::size_t at = 0; at < options.jobs.size(); ++at) {
        const jobs::Registered& registered = *options.jobs[at];
        if (!registered.of_events) {
            continue;
        }
        const bool shares_memory = at < options.jobs_memory.size();
        TRY(auto job,
            registered.open(
                {.store = &store,
                 .clock = &clock,
                 .metrics = options.metrics,
                 .secret = options.secret,
                 .log = log_->id(),
                 .shared = options.cluster.has_value(),
                 .options = options_of(options.jobs_options, registered),
                 .memory = shares_memory ? options.jobs_memory[at] : nullptr,
                 .owners = owner_client_.get(),
                 .people = options.people,
                 .seals = options.reads != nullptr ? &options.reads->seals() : nullptr,
                 .settling = settling,
                 .reads = options.read_terms,
                 .ledger = options.ledger,
                 .region = options.region,
                 .acts = options.acts,
                 .topics = outgoing_.get()}
            ));
        CHECK(job->projection() != nullptr, "what is made of events follows them", registered.name);
        projections.push_back(
            {.name = std::string{registered.name}, .projection = job->projection()}
        );
        settling = job->settling() != nullptr ? job->settling() : settling;
        jobs_.push_back({.registered = &registered, .job = std::move(job)});
    }
    host_ = std::make_unique<projecting::ProjectionHost>(store, *log_, std::move(projections));
    return {};
}

}  // namespace footfall::deployment
