#include "deployment/event_parts.h"

#include "foundation/check.h"
#include "foundation/log.h"
#include "guard/rule_registry.h"
#include "intake/schema.h"
#include "journal_rocksdb/moved_log.h"
#include "journal_rocksdb/schema.h"
#include "journal_rocksdb/store_log.h"
#include "owners/schema.h"
#include "projecting/schema.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <utility>

namespace footfall::deployment {
namespace {

Result<guard::RuleSet> read_rules(const std::optional<std::string>& path) {
    if (!path) {
        return guard::RuleSet::standard();
    }
    const std::filesystem::path file{*path};
    TRY(const std::string text, guard::lists_in(file.parent_path())(file.filename().string()));
    Result<guard::RuleSet> rules = guard::RuleSet::read(text, guard::lists_in(file.parent_path()));
    if (!rules) {
        return std::unexpected(with_context(rules.error(), *path));
    }
    return rules;
}

/// For a process that judges nothing: the rules by which others judge, as they were registered
/// last; `own` if nobody registered any.
Result<guard::RuleSet> rules_in_force(
    storage::Store& store, guard::RuleSet own, const std::optional<std::string>& path
) {
    TRY(const std::vector<guard::RegisteredRules> newest, guard::read_rule_sets(store, 1));
    if (newest.empty()) {
        return own;
    }
    if (newest[0].digest != own.digest()) {
        const std::filesystem::path folder = std::filesystem::path{path.value_or("")}.parent_path();
        Result<guard::RuleSet> theirs =
            guard::RuleSet::read(newest[0].text, guard::lists_in(folder));
        if (!theirs || theirs->digest() != newest[0].digest) {
            log(LogLevel::warning,
                "rules: others judge by version {}, and this process does not have its lists, so "
                "it tells of its own rules: give it their rule file, and the lists beside it",
                newest[0].version);
            return own;
        }
        own = *std::move(theirs);
    }
    own.set_version(newest[0].version);
    return own;
}

/// Nobody finds a repeat of an event that is gone.
Result<void> check_keep(std::optional<std::chrono::seconds> keep, const guard::RuleSet& rules) {
    if (!keep || *keep >= rules.repeat_reach()) {
        return {};
    }
    return fail(
        ErrorKind::invalid_input,
        fmt::format(
            "keep_events: events are kept for {} s, but a rule looks for repeats as far as {} s "
            "back; keep them longer, or look back less",
            keep->count(),
            std::chrono::ceil<std::chrono::seconds>(rules.repeat_reach()).count()
        )
    );
}

guard_redis::RedisRates::Options redis_options(
    const EventParts::RedisPlace& place, SipKey secret, std::uint64_t log
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
        &projecting::projection_checkpoint_table,
        &owners::lane_owner_table,
        &guard::rule_set_table
    };
    for (const jobs::Registered* const each : jobs) {
        tables.insert(tables.end(), each->tables.begin(), each->tables.end());
    }
    return tables;
}

Result<std::unique_ptr<EventParts>> EventParts::open(
    storage::Store& store, const Clock& clock, Options options
) {
    std::unique_ptr<EventParts> parts{new EventParts};
    TRY(guard::RuleSet rules, read_rules(options.rules));
    const bool judges = !options.cluster || options.cluster->events_feed != nullptr;
    if (options.judges && !judges) {
        TRY(rules, rules_in_force(store, std::move(rules), options.rules));
    }
    TRY_VOID(check_keep(options.keep, rules));
    if (options.judges && judges) {
        TRY(const std::uint32_t version, guard::register_rules(store, rules, clock));
        rules.set_version(version);
    }
    if (options.cluster) {
        parts->log_ = std::move(options.cluster->judged);
        parts->events_ = std::move(options.cluster->events);
        TRY(parts->earlier_log_, journal_rocksdb::MovedLog::open(store));
    } else {
        TRY(parts->log_, journal_rocksdb::StoreLog::open(store));
    }
    if (options.redis && options.judges && judges) {
        parts->shared_rates_ = std::make_unique<guard_redis::RedisRates>(
            redis_options(*options.redis, options.secret, parts->log_->id())
        );
    }
    if (options.cluster) {
        CHECK(options.metrics != nullptr, "on a cluster owners are asked, and that is counted");
        parts->owner_client_ = std::make_unique<owners::OwnerClient>(owners::OwnerClient::Options{
            .store = &store,
            .clock = &clock,
            .metrics = options.metrics,
            .log = parts->log_->id(),
            .secret = options.secret
        });
    }
    parts->rates_ = std::make_unique<guard::RateState>(options.secret, options.rates_bytes);
    TRY_VOID(parts->open_jobs(store, clock, options));
    const intake::Context context{
        .store = &store,
        .log = parts->log_.get(),
        .earlier_log = parts->earlier_log_.get(),
        .clock = &clock,
        .secret = options.secret,
        .rules = std::make_shared<const guard::RuleSet>(std::move(rules)),
        .rates = parts->rates_.get(),
        .shared_rates = parts->shared_rates_.get(),
        .host = parts->host_.get(),
        .id_filter_bytes = options.id_filter_bytes,
        .repeats_memory = options.repeats_memory,
        .keep_rows = options.cluster ? options.keep : std::nullopt,
        .keep_addresses = options.keep_addresses
    };
    TRY_VOID(parts->begin(context, options));
    return parts;
}

Result<void> EventParts::open_jobs(
    storage::Store& store, const Clock& clock, const Options& options
) {
    std::vector<projecting::ProjectionHost::Registered> projections;
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
                 .owners = owner_client_.get()}
            ));
        CHECK(job->projection() != nullptr, "what is made of events follows them", registered.name);
        projections.push_back(
            {.name = std::string{registered.name}, .projection = job->projection()}
        );
        jobs_.push_back({.registered = &registered, .job = std::move(job)});
    }
    host_ = std::make_unique<projecting::ProjectionHost>(store, *log_, std::move(projections));
    return {};
}

jobs::Job& EventParts::job(std::string_view name) {
    return job_of(jobs_, name);
}

Result<void> EventParts::begin(const intake::Context& context, Options& options) {
    if (options.cluster) {
        TRY_VOID(begin_on_cluster(context, options, *options.cluster));
    } else {
        TRY(intake_, intake::Intake::open(context));
    }
    // On a cluster each process that counts lets go of its own lanes.
    if (options.keep && (follower_thread_ || !options.cluster)) {
        retention_ = std::make_unique<intake::Retention>(
            context, *options.keep, follower_thread_ ? &follower_->holds() : nullptr
        );
        retention_->start();
    }
    return {};
}

/// The judge tells the projections nothing there: they read what is durable.
Result<void> EventParts::begin_on_cluster(
    intake::Context context, const Options& options, ClusterLogs& logs
) {
    follower_ = std::make_unique<intake::Follower>(context);
    context.host = nullptr;
    if (logs.watch_feed) {
        watch_ = std::make_unique<intake::JudgedWatch>(*log_, *context.clock);
        context.watch = watch_.get();
    }
    TRY(intake_, intake::Intake::open_without_lanes(context));
    guard_ = std::make_unique<intake::GuardReader>(*intake_);
    collector_ = std::make_unique<intake::LogCollector>(
        *events_, *context.store, *context.clock, context.secret
    );
    if (logs.events_feed) {
        guard_thread_ =
            std::make_unique<intake::FeedThread>("guard", std::move(logs.events_feed), *guard_);
    }
    if (logs.watch_feed) {
        watch_thread_ =
            std::make_unique<intake::FeedThread>("watch", std::move(logs.watch_feed), *watch_);
    }
    if (logs.judged_feed) {
        follow(*context.store, *context.clock, context.secret, std::move(logs.judged_feed));
    }
    exchange_with_others(options, logs);
    return {};
}

/// With other programs, by topics.
void EventParts::exchange_with_others(const Options& options, ClusterLogs& logs) {
    if (auto& topics = logs.ingress) {
        ingress_ = std::make_unique<intake::Ingress>(
            *std::move(topics), *collector_, *intake_->context().clock
        );
    }
    if (auto& topics = logs.published) {
        CHECK(options.render != nullptr, "who writes events for others knows how");
        publisher_ = std::make_unique<intake::Publisher>(
            *std::move(topics),
            log_->id(),
            [this, render = options.render](const intake::FoundEvent& event, std::string& json) {
                render(event, intake_->context(), json);
            }
        );
    }
}

/// Counts the lanes that the feed brings, and answers others for them.
void EventParts::follow(
    storage::Store& store,
    const Clock& clock,
    SipKey secret,
    std::unique_ptr<journal::LaneFeed> feed
) {
    owned_lanes_ = std::make_unique<owners::OwnedLanes>(
        *follower_,
        owners::OwnedLanes::Options{
            .store = &store,
            .clock = &clock,
            .log = log_->id(),
            .ends = &follower_->ends(),
            .caught_up = [raw = feed.get()] { return raw->caught_up(); },
            .stored_until = [this](std::uint32_t lane) { return host_->stored_until(lane); }
        }
    );
    owner_client_->count_here(*owned_lanes_);
    owner_desk_ = std::make_unique<owners::OwnerDesk>(*host_, *owned_lanes_, secret, clock);
    follower_thread_ =
        std::make_unique<intake::FeedThread>("follower", std::move(feed), *owned_lanes_);
}

void EventParts::announce(const std::string& address) {
    if (owned_lanes_) {
        owned_lanes_->announce(address);
    }
}

intake::Collector& EventParts::collector() {
    if (collector_) {
        return *collector_;
    }
    return *intake_;
}

Result<void> EventParts::health() const {
    TRY_VOID(intake_->health());
    if (ingress_) {  // it collects
        TRY_VOID(collector_->health());
    }
    if (guard_thread_) {
        TRY_VOID(guard_thread_->health());
    }
    if (follower_thread_) {
        TRY_VOID(follower_thread_->health());
        if (!owned_lanes_->has_begun()) {
            return fail(ErrorKind::unavailable, "its lanes are not read to their ends yet");
        }
    }
    return {};
}

void EventParts::close() {
    if (retention_) {
        retention_->stop();
    }
    if (ingress_) {
        ingress_->stop();
    }
    if (publisher_) {
        publisher_->stop();
    }
    if (guard_thread_) {
        guard_thread_->stop();
    }
    if (follower_thread_) {
        follower_thread_->stop();
    }
    if (watch_thread_) {
        watch_thread_->stop();
    }
    intake_->close();
}

}  // namespace footfall::deployment
