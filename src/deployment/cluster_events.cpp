#include "deployment/cluster_events.h"

#include "foundation/check.h"
#include "journal_rocksdb/moved_log.h"

#include <utility>
#include <vector>

namespace footfall::deployment {

Result<std::unique_ptr<EventParts>> ClusterEvents::open(
    storage::Store& store, const Clock& clock, EventOptions options
) {
    CHECK(options.cluster, "a process of a cluster has logs");
    CHECK(options.metrics != nullptr, "on a cluster owners are asked, and that is counted");
    ClusterLogs& logs = *options.cluster;
    std::unique_ptr<ClusterEvents> parts{new ClusterEvents};
    parts->log_ = std::move(logs.judged);
    parts->events_ = std::move(logs.events);
    parts->outgoing_ = std::move(logs.outgoing);
    TRY(parts->earlier_log_, journal_rocksdb::MovedLog::open(store));
    parts->owner_client_ = std::make_unique<owners::OwnerClient>(owners::OwnerClient::Options{
        .store = &store,
        .clock = &clock,
        .metrics = options.metrics,
        .log = parts->log_->id(),
        .secret = options.secret
    });
    TRY(intake::Context context, parts->open_shared(store, clock, options));
    context.earlier_log = parts->earlier_log_.get();
    context.keep_rows = options.keep;
    TRY_VOID(parts->begin(context, options, logs));
    return parts;
}

Result<void> ClusterEvents::begin(
    const intake::Context& context, const EventOptions& options, ClusterLogs& logs
) {
    intake::Context judging = context;
    judging.host = nullptr;
    if (logs.watch_feed) {
        watch_ = std::make_unique<intake::JudgedWatch>(*log_, *context.clock, onlookers());
        judging.watch = watch_.get();
    }
    TRY(intake_, intake::Intake::open_without_lanes(judging));
    collector_ = std::make_unique<intake::LogCollector>(
        *events_, *context.store, *context.clock, context.secret, context.reads
    );
    if (logs.events_feed) {
        Judging& role = judging_.emplace();
        role.reader = std::make_unique<intake::GuardReader>(*intake_);
        role.thread = std::make_unique<intake::FeedThread>(
            "guard", std::move(logs.events_feed), *role.reader
        );
    }
    if (logs.watch_feed) {
        watch_thread_ =
            std::make_unique<intake::FeedThread>("watch", std::move(logs.watch_feed), *watch_);
    }
    if (logs.judged_feed) {
        count(context, options.keep, std::move(logs.judged_feed));
    }
    exchange_with_others(options, logs);
    return {};
}

std::vector<intake::Onlooker*> ClusterEvents::onlookers() const {
    std::vector<intake::Onlooker*> found;
    found.reserve(jobs_.size());
    for (const OpenJob& each : jobs_) {
        if (intake::Onlooker* const onlooker = each.job->onlooker()) {
            found.push_back(onlooker);
        }
    }
    return found;
}

void ClusterEvents::count(
    const intake::Context& context,
    std::optional<std::chrono::seconds> keep,
    std::unique_ptr<journal::LaneFeed> feed
) {
    Counting& role = counting_.emplace();
    role.follower = std::make_unique<intake::Follower>(context);
    role.lanes = std::make_unique<owners::OwnedLanes>(
        *role.follower,
        owners::OwnedLanes::Options{
            .store = context.store,
            .clock = context.clock,
            .log = log_->id(),
            .ends = &role.follower->ends(),
            .caught_up = [raw = feed.get()] { return raw->caught_up(); },
            .stored_until = [this](std::uint32_t lane) { return host_->stored_until(lane); }
        }
    );
    owner_client_->count_here(*role.lanes);
    role.desk =
        std::make_unique<owners::OwnerDesk>(*host_, *role.lanes, context.secret, *context.clock);
    role.thread = std::make_unique<intake::FeedThread>("follower", std::move(feed), *role.lanes);
    if (keep) {
        role.retention =
            std::make_unique<intake::Retention>(context, *keep, &role.follower->holds());
        role.retention->start();
    }
}

/// With other programs, by topics.
void ClusterEvents::exchange_with_others(const EventOptions& options, ClusterLogs& logs) {
    if (auto& topics = logs.ingress) {
        ingress_ = std::make_unique<intake::Ingress>(
            *std::move(topics),
            *collector_,
            *intake_->context().clock,
            options.read_terms.ingress ? intake::ForeignReads::taken : intake::ForeignReads::refused
        );
    }
    if (auto& topics = logs.published) {
        RenderEvent* const render = options.render;
        CHECK(render != nullptr, "who writes events for others knows how");
        publisher_ = std::make_unique<intake::Publisher>(
            *std::move(topics),
            log_->id(),
            [this, render](const intake::FoundEvent& event, std::string& json) {
                render(event, intake_->context(), json);
            }
        );
    }
}

void ClusterEvents::announce(const std::string& address) {
    if (counting_) {
        counting_->lanes->announce(address);
    }
}

std::uint64_t ClusterEvents::dropped() const {
    return counting_ && counting_->retention ? counting_->retention->dropped() : 0;
}

std::uint64_t ClusterEvents::dropped_ahead() const {
    return counting_ && counting_->retention ? counting_->retention->ahead() : 0;
}

std::chrono::seconds ClusterEvents::overdue() const {
    return counting_ && counting_->retention ? counting_->retention->overdue()
                                             : std::chrono::seconds{0};
}

std::optional<ClusterFigures> ClusterEvents::cluster_figures() const {
    ClusterFigures figures;
    if (counting_) {
        figures.followed_lanes = counting_->follower->lane_count();
        figures.projected = counting_->follower->projected();
    }
    if (ingress_) {
        figures.ingress = ingress_->figures();
    }
    if (publisher_) {
        figures.published = publisher_->published();
    }
    return figures;
}

Result<void> ClusterEvents::health() const {
    TRY_VOID(intake_->health());
    if (ingress_) {  // it collects
        TRY_VOID(collector_->health());
    }
    if (judging_) {
        TRY_VOID(judging_->thread->health());
    }
    if (counting_) {
        TRY_VOID(counting_->thread->health());
        if (!counting_->lanes->has_begun()) {
            return fail(ErrorKind::unavailable, "its lanes are not read to their ends yet");
        }
    }
    return {};
}

void ClusterEvents::close() {
    if (counting_ && counting_->retention) {
        counting_->retention->stop();
    }
    if (ingress_) {
        ingress_->stop();
    }
    if (publisher_) {
        publisher_->stop();
    }
    if (judging_) {
        judging_->thread->stop();
    }
    if (counting_) {
        counting_->thread->stop();
    }
    if (watch_thread_) {
        watch_thread_->stop();
    }
    intake_->close();
}

}  // namespace footfall::deployment
