#pragma once

#include "deployment/event_options.h"
#include "deployment/open_job.h"
#include "foundation/clock.h"
#include "foundation/result.h"
#include "guard/rate.h"
#include "guard_redis/redis_rates.h"
#include "intake/collector.h"
#include "intake/ingress.h"
#include "intake/intake.h"
#include "jobs/job.h"
#include "journal/log.h"
#include "owners/owner_client.h"
#include "owners/owner_desk.h"
#include "projecting/projection_host.h"
#include "storage/store.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::deployment {

/// What a process of a cluster did since its start, by its roles.
struct ClusterFigures {
    std::size_t followed_lanes = 0;  ///< That are read for the projections now.
    std::uint64_t projected = 0;     ///< Follower::projected().
    /// What came from other programs by the topic `ingress`; absent: none is read here.
    std::optional<intake::Ingress::Figures> ingress = {};
    std::optional<std::uint64_t> published = {};  ///< Events; absent: none are written here.
};

/// Everything between an event and what jobs make of it, on one store: the log, the rules and what
/// they remember, the intake, the jobs. Opened by reading the log from where the rows of each end.
/// EmbeddedEvents where the log is in the store, ClusterEvents where it is Kafka's.
///
/// Thread-safe parts. The store and the clock must outlive it, and the store must be closed (no
/// more callbacks) before it is destroyed.
class EventParts {
public:
    /// The tables that the store has to know, those of these jobs among them.
    static std::vector<const storage::Table*> tables(jobs::List jobs);

    /// `invalid_input` when the rule file is none, or events are kept too shortly for it. Waits.
    static Result<std::unique_ptr<EventParts>> open(
        storage::Store& store, const Clock& clock, EventOptions options
    );

    EventParts(const EventParts&) = delete;
    EventParts& operator=(const EventParts&) = delete;
    virtual ~EventParts();

    intake::Intake& intake() { return *intake_; }

    /// Of judged events.
    journal::Log& log() { return *log_; }

    /// Where events go that come in by a door.
    virtual intake::Collector& collector() = 0;

    /// Success while events are taken and judged; else why not.
    virtual Result<void> health() const = 0;

    /// Those made of events, in the order of the list.
    std::span<const OpenJob> jobs() const { return jobs_; }

    /// The one of this name, which must be in the list.
    jobs::Job& job(std::string_view name) { return job_of(jobs_, name); }

    /// What this process answers others; null: it counts no lanes that they may ask for.
    virtual const owners::OwnerDesk* owner_desk() const = 0;

    /// Tells others, if there are any, where they reach this process, ADDRESS:PORT.
    virtual void announce(const std::string& address) = 0;

    /// How many events went because they were kept long enough, since the start.
    virtual std::uint64_t dropped() const = 0;

    /// How many of them said that they came later than they did: a clock was ahead then.
    virtual std::uint64_t dropped_ahead() const = 0;

    /// How long those that went last had been due, at most.
    virtual std::chrono::seconds overdue() const = 0;

    /// Absent: embedded.
    virtual std::optional<ClusterFigures> cluster_figures() const = 0;

    /// What is shared for rules on rates; null: nothing.
    const guard_redis::RedisRates* shared_rates() const { return shared_rates_.get(); }

    /// Writes what is left to write. Idempotent.
    virtual void close() = 0;

protected:
    EventParts() = default;

    /// Opens the rules, what they remember, and the jobs, once `log_` is there, and on a cluster
    /// `owner_client_`. Answers what judges share. Waits.
    Result<intake::Context> open_shared(
        storage::Store& store, const Clock& clock, const EventOptions& options
    );

    std::unique_ptr<journal::Log> log_;
    /// Null: all lanes are ours, or nobody asks for those of others.
    std::unique_ptr<owners::OwnerClient> owner_client_;
    std::unique_ptr<guard::RateState> rates_;
    std::unique_ptr<guard_redis::RedisRates> shared_rates_;  ///< Null: this process judges alone.
    std::unique_ptr<journal::OutgoingTopics> outgoing_;      ///< Null: embedded.
    std::vector<OpenJob> jobs_;
    std::unique_ptr<projecting::ProjectionHost> host_;
    std::unique_ptr<intake::Intake> intake_;

private:
    Result<void> open_jobs(storage::Store& store, const Clock& clock, const EventOptions& options);
};

}  // namespace footfall::deployment
