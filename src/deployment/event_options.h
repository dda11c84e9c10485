#pragma once

#include "audit/acts.h"
#include "foundation/siphash.h"
#include "intake/event_search.h"
#include "intake/ingress.h"
#include "intake/lane_judge.h"
#include "intake/publisher.h"
#include "jobs/job.h"
#include "journal/lane_feed.h"
#include "journal/log.h"
#include "journal/outgoing_topics.h"
#include "metrics/metrics.h"
#include "runtime/memory_shares.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::deployment {

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
    /// Which jobs write for other programs.
    std::unique_ptr<journal::OutgoingTopics> outgoing;
};

/// The Redis in which processes share what rules on rates need.
struct RedisPlace {
    std::string address = "127.0.0.1";  ///< Numeric.
    std::uint16_t port = 6379;

    friend bool operator==(const RedisPlace&, const RedisPlace&) = default;
};

/// Appends an event as JSON.
using RenderEvent = void(const intake::FoundEvent&, const intake::Context&, std::string&);

/// How to open EventParts.
struct EventOptions {
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
    const people::ReadDoor* reads = nullptr;         ///< As of intake::Context.
    people::ReadTerms read_terms = {};
    people::People* people = nullptr;         ///< As of jobs::Floor.
    const erasure::Ledger* ledger = nullptr;  ///< As of jobs::Floor.
    std::string_view region = {};             ///< As of jobs::Floor.
    audit::Acts* acts = nullptr;              ///< As of jobs::Floor.

    /// Whether the process that is opened so judges events.
    bool is_judge() const { return judges && (!cluster || cluster->events_feed != nullptr); }
};

}  // namespace footfall::deployment
