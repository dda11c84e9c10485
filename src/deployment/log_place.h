#pragma once

#include "deployment/event_options.h"
#include "foundation/result.h"
#include "journal/log.h"
#include "metrics/metrics.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace footfall::deployment {

/// What a process does in a cluster. All of them, if nobody says otherwise.
struct Roles {
    bool collect = true;  ///< Takes events from outside.
    bool guard = true;    ///< Judges them.
    bool project = true;  ///< Counts what was judged.
    bool query = true;    ///< Answers what was counted.

    friend bool operator==(const Roles&, const Roles&) = default;
};

/// An Apache Kafka cluster with the logs of a deployment: the topics PREFIXevents, as events come,
/// and PREFIXjudged, with their verdicts; beside them PREFIXingress, where other programs write
/// events, PREFIXevents.dlq, what of it was none, and PREFIXjudged.json, where they read;
/// PREFIXdeployment says whose they are. Any number of processes.
struct KafkaPlace {
    std::string brokers = "127.0.0.1:9092";  ///< ADDRESS:PORT, separated by commas.
    std::string prefix = "footfall.";
    std::uint16_t replicas = 3;  ///< Of each lane, when the topics are made.
    /// This process's own name in the cluster, the same after a restart: its lanes wait for it
    /// then, for ten seconds. Empty: they go to others at once.
    std::string instance = {};
    Roles roles;
    /// How long judged events are kept as JSON for other programs, which processes that project
    /// write then; absent: they write none.
    std::optional<std::chrono::seconds> published_kept = {};
    /// How long judged events are kept; absent: for ever.
    std::optional<std::chrono::seconds> judged_kept = {};
    /// What other programs wrote, and what of it was none, is kept no longer, for there are
    /// addresses in it; absent: as long as it is of use.
    std::optional<std::chrono::seconds> addresses_kept = {};
    /// Of memory, for records that are read ahead of those who count, and of those who read old
    /// ones.
    std::size_t memory_bytes = 256 << 20;

    friend bool operator==(const KafkaPlace&, const KafkaPlace&) = default;
};

/// Opens the logs, and makes their topics where they are missing. Waits. `metrics` must outlive
/// them.
Result<ClusterLogs> open_cluster_logs(const KafkaPlace& place, metrics::Metrics& metrics);

/// Opens the log of judged events only to read it, beside those who run. Waits. `not_found`: there
/// is none.
Result<std::unique_ptr<journal::Log>> open_judged_log(const KafkaPlace& place);

}  // namespace footfall::deployment
