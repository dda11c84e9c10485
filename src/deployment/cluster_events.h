#pragma once

#include "deployment/event_parts.h"
#include "foundation/siphash.h"
#include "intake/feed_thread.h"
#include "intake/follower.h"
#include "intake/guard_reader.h"
#include "intake/ingress.h"
#include "intake/judged_watch.h"
#include "intake/log_collector.h"
#include "intake/publisher.h"
#include "intake/retention.h"
#include "journal/lane_feed.h"
#include "journal/log.h"
#include "owners/owned_lanes.h"
#include "owners/owner_desk.h"

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace footfall::deployment {

/// The parts of one process of a cluster: events and judged events are topics of Kafka, whose lanes
/// come and go, and a process does what its roles say. The judge tells the projections nothing
/// here: they read what is durable.
class ClusterEvents final : public EventParts {
public:
    /// As EventParts::open(); `options` names logs.
    static Result<std::unique_ptr<EventParts>> open(
        storage::Store& store, const Clock& clock, EventOptions options
    );

    intake::Collector& collector() override { return *collector_; }

    Result<void> health() const override;

    const owners::OwnerDesk* owner_desk() const override {
        return counting_ ? counting_->desk.get() : nullptr;
    }

    void announce(const std::string& address) override;

    std::uint64_t dropped() const override;
    std::uint64_t dropped_ahead() const override;
    std::chrono::seconds overdue() const override;

    std::optional<ClusterFigures> cluster_figures() const override;

    void close() override;

private:
    /// The role `guard`: judges events of the lanes that it is given.
    struct Judging {
        std::unique_ptr<intake::GuardReader> reader;
        std::unique_ptr<intake::FeedThread> thread;
    };

    /// The role `project`: counts the lanes that it is given, answers others for them, and lets old
    /// events of theirs go.
    struct Counting {
        std::unique_ptr<intake::Follower> follower;
        std::unique_ptr<intake::Retention> retention;  ///< Null: events are kept for ever.
        std::unique_ptr<owners::OwnedLanes> lanes;
        std::unique_ptr<owners::OwnerDesk> desk;
        std::unique_ptr<intake::FeedThread> thread;
    };

    ClusterEvents() = default;

    Result<void> begin(
        const intake::Context& context, const EventOptions& options, ClusterLogs& logs
    );
    std::vector<intake::Onlooker*> onlookers() const;
    void count(
        const intake::Context& context,
        std::optional<std::chrono::seconds> keep,
        std::unique_ptr<journal::LaneFeed> feed
    );
    void exchange_with_others(const EventOptions& options, ClusterLogs& logs);

    std::unique_ptr<journal::Writer> events_;
    /// Null: events were never logged elsewhere.
    std::unique_ptr<journal::LogReader> earlier_log_;
    std::unique_ptr<intake::JudgedWatch> watch_;  ///< Null: nobody looks on here.
    std::unique_ptr<intake::LogCollector> collector_;
    std::unique_ptr<intake::Ingress> ingress_;          ///< Null: this process collects nothing.
    std::unique_ptr<intake::Publisher> publisher_;      ///< Null: nothing is written for others.
    std::optional<Judging> judging_;                    ///< Absent: this process judges nothing.
    std::optional<Counting> counting_;                  ///< Absent: it counts nothing.
    std::unique_ptr<intake::FeedThread> watch_thread_;  ///< Null with `watch_`.
};

}  // namespace footfall::deployment
