#pragma once

#include "deployment/open_job.h"
#include "foundation/clock.h"
#include "foundation/result.h"
#include "foundation/siphash.h"
#include "guard/rate.h"
#include "guard/rules.h"
#include "guard_redis/redis_rates.h"
#include "intake/feed_thread.h"
#include "intake/follower.h"
#include "intake/guard_reader.h"
#include "intake/ingress.h"
#include "intake/intake.h"
#include "intake/judged_watch.h"
#include "intake/log_collector.h"
#include "intake/publisher.h"
#include "intake/retention.h"
#include "jobs/job.h"
#include "journal/lane_feed.h"
#include "journal/log.h"
#include "metrics/metrics.h"
#include "owners/owned_lanes.h"
#include "owners/owner_client.h"
#include "owners/owner_desk.h"
#include "projecting/projection_host.h"
#include "storage/store.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::deployment {

/// Everything between an event and what jobs make of it, on one store: the log, the rules and what
/// they remember, the intake, the jobs. Opened by reading the log from where the rows of each end.
///
/// Thread-safe parts. The store and the clock must outlive it, and the store must be closed (no
/// more callbacks) before it is destroyed.
class EventParts {
public:
    /// The logs of a cluster, as one process has them.
    struct ClusterLogs {
        std::unique_ptr<journal::Writer> events;  ///< Where collectors append.
        std::unique_ptr<journal::Log> judged;
        /// What other programs write; absent: this process collects nothing.
        std::optional<intake::Ingress::Topics> ingress;
        std::unique_ptr<journal::LaneFeed> events_feed;  ///< Null: this process judges nothing.
        std::unique_ptr<journal::LaneFeed> judged_feed;  ///< Null: it has no projections.
        /// Where judged events are written for other programs; absent: not by this process.
        std::optional<intake::Publisher::Topics> published;
        std::unique_ptr<journal::LaneFeed> watch_feed;  ///< Null: nobody looks on here.
    };

    /// The Redis in which processes share what rules on rates need.
    struct RedisPlace {
        std::string address = "127.0.0.1";  ///< Numeric.
        std::uint16_t port = 6379;

        friend bool operator==(const RedisPlace&, const RedisPlace&) = default;
    };

    /// Appends an event as JSON.
    using RenderEvent = void(const intake::FoundEvent&, const intake::Context&, std::string&);

    struct Options {
        SipKey secret;
        std::optional<ClusterLogs> cluster = {};  ///< Absent: the log is in the store.
        metrics::Metrics* metrics = nullptr;      ///< Not null on a cluster.
        /// False: no event will be judged, and whatever rules were last in force stay so.
        bool judges = true;
        /// The rule file; absent: the standard rules. Its lists lie in its folder. A process of a
        /// cluster that judges nothing tells of those that were registered last, if it has their
        /// lists.
        std::optional<std::string> rules = {};
        std::optional<RedisPlace> redis = {};  ///< Absent: no other process counts.
        /// Events that arrived longer ago go, while this is open; absent: none do. Not shorter than
        /// the rules look back. On a cluster all processes are to be told the same: who projects
        /// lets events go, who judges says how long their ids are known.
        std::optional<std::chrono::seconds> keep = {};
        std::optional<std::chrono::seconds> keep_addresses = {};  ///< As of intake::Context.
        /// What is made of judged events, and of each what it may take of memory; null, or none at
        /// all: as much as the job sees fit. Those that are not made of events are passed over.
        jobs::List jobs = {};
        jobs::OptionsByJob jobs_options = {};
        std::vector<runtime::MemoryShare*> jobs_memory = {};
        RenderEvent* render = nullptr;  ///< How other programs read events; for those it writes.
        std::size_t rates_bytes = 4 << 20;
        std::size_t id_filter_bytes = 0;                 ///< As of intake::Context; embedded.
        runtime::MemoryShare* repeats_memory = nullptr;  ///< As of intake::Context.
    };

    /// The tables that the store has to know, those of these jobs among them.
    static std::vector<const storage::Table*> tables(jobs::List jobs);

    /// `invalid_input` when the rule file is none, or events are kept too shortly for it. Waits.
    static Result<std::unique_ptr<EventParts>> open(
        storage::Store& store, const Clock& clock, Options options
    );

    intake::Intake& intake() { return *intake_; }

    /// Where events go that come in by a door.
    intake::Collector& collector();

    /// Success while events are taken and judged; else why not.
    Result<void> health() const;

    /// Those made of events, in the order of the list.
    std::span<const OpenJob> jobs() const { return jobs_; }

    /// The one of this name, which must be in the list.
    jobs::Job& job(std::string_view name);

    /// What this process answers others; null: it counts no lanes that they may ask for.
    const owners::OwnerDesk* owner_desk() const { return owner_desk_.get(); }

    /// Tells others where they reach this process, ADDRESS:PORT.
    void announce(const std::string& address);

    /// How many events went because they were kept long enough, since the start.
    std::uint64_t dropped() const { return retention_ ? retention_->dropped() : 0; }

    /// On a cluster: how many lanes are read for the projections; else absent.
    std::optional<std::size_t> followed_lanes() const {
        return follower_ ? std::optional{follower_->lane_count()} : std::nullopt;
    }

    /// What is shared for rules on rates; null: nothing.
    const guard_redis::RedisRates* shared_rates() const { return shared_rates_.get(); }

    /// What came from other programs by the topic `ingress`; absent: none is read here.
    std::optional<intake::Ingress::Figures> ingress() const {
        return ingress_ ? std::optional{ingress_->figures()} : std::nullopt;
    }

    /// Events written for other programs; absent: none are here.
    std::optional<std::uint64_t> published() const {
        return publisher_ ? std::optional{publisher_->published()} : std::nullopt;
    }

    /// On a cluster: Follower::projected(); else absent.
    std::optional<std::uint64_t> projected() const {
        return follower_ ? std::optional{follower_->projected()} : std::nullopt;
    }

    /// Writes what is left to write. Idempotent.
    void close();

private:
    EventParts() = default;

    Result<void> open_jobs(storage::Store& store, const Clock& clock, const Options& options);
    Result<void> begin(const intake::Context& context, Options& options);
    Result<void> begin_on_cluster(
        intake::Context context, const Options& options, ClusterLogs& logs
    );
    void exchange_with_others(const Options& options, ClusterLogs& logs);
    void follow(
        storage::Store& store,
        const Clock& clock,
        SipKey secret,
        std::unique_ptr<journal::LaneFeed> feed
    );

    std::unique_ptr<journal::Log> log_;
    /// Null: events were never logged elsewhere.
    std::unique_ptr<journal::LogReader> earlier_log_;
    std::unique_ptr<journal::Writer> events_;  ///< Null: events are judged at once.
    std::unique_ptr<guard::RateState> rates_;
    std::unique_ptr<guard_redis::RedisRates> shared_rates_;  ///< Null: this process judges alone.
    std::unique_ptr<owners::OwnerClient> owner_client_;      ///< Null: all lanes are ours.
    std::vector<OpenJob> jobs_;
    std::unique_ptr<projecting::ProjectionHost> host_;
    std::unique_ptr<intake::JudgedWatch> watch_;  ///< Null: nobody looks on, or it is not needed.
    std::unique_ptr<intake::Intake> intake_;
    // On a cluster.
    std::unique_ptr<intake::LogCollector> collector_;
    std::unique_ptr<intake::Ingress> ingress_;      ///< Null: this process collects nothing.
    std::unique_ptr<intake::Publisher> publisher_;  ///< Null: nothing is written for others.
    std::unique_ptr<intake::GuardReader> guard_;
    std::unique_ptr<intake::Follower> follower_;
    std::unique_ptr<intake::Retention> retention_;     ///< Null: nothing goes by this process.
    std::unique_ptr<owners::OwnedLanes> owned_lanes_;  ///< Null: none are counted here.
    std::unique_ptr<owners::OwnerDesk> owner_desk_;
    std::unique_ptr<intake::FeedThread> guard_thread_;
    std::unique_ptr<intake::FeedThread> follower_thread_;
    std::unique_ptr<intake::FeedThread> watch_thread_;
};

}  // namespace footfall::deployment
