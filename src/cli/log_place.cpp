#include "cli/log_place.h"

#include "journal_kafka/kafka_feed.h"
#include "journal_kafka/kafka_log.h"
#include "journal_kafka/shared_topic.h"
#include "runtime/lanes.h"

#include <memory>
#include <utility>

namespace footfall::cli {
namespace {

/// Events wait so long at most for a guard to judge them.
constexpr std::chrono::days events_kept{7};

/// Once the brokers have not acknowledged an event for so long, more are refused at once.
constexpr std::chrono::seconds newcomers_until{15};

/// A process that is silent so long has died: its lanes go to others.
constexpr std::chrono::seconds silence_max{10};

journal_kafka::TopicOptions topic_of(const KafkaPlace& place, std::string_view name) {
    return {
        .name = place.prefix + std::string{name},
        .lanes = static_cast<std::uint32_t>(intake::JudgeLanes::count),
        .replicas = place.replicas,
        .in_sync = static_cast<std::uint16_t>(place.replicas > 2 ? 2 : 1)
    };
}

std::unique_ptr<journal::LaneFeed> feed_of(
    const KafkaPlace& place, std::string_view topic, std::string_view role
) {
    journal_kafka::ConsumerOptions options{
        .group = place.prefix + std::string{role}, .member = place.instance, .session = silence_max
    };
    return std::make_unique<journal_kafka::KafkaFeed>(
        journal_kafka::ClusterOptions{.brokers = place.brokers},
        place.prefix + std::string{topic},
        std::move(options)
    );
}

}  // namespace

Result<EventParts::ClusterLogs> open_cluster_logs(const KafkaPlace& place) {
    const journal_kafka::ClusterOptions cluster{.brokers = place.brokers};
    journal_kafka::TopicOptions events = topic_of(place, "events");
    events.kept = events_kept;
    EventParts::ClusterLogs logs;
    const journal_kafka::WriterOptions refusing{.newcomers_until = newcomers_until};
    TRY(logs.events, journal_kafka::SharedTopic::open(cluster, events, refusing));
    TRY(logs.judged,
        journal_kafka::KafkaLog::open({.cluster = cluster, .topic = topic_of(place, "judged")}));
    if (place.roles.guard) {
        logs.events_feed = feed_of(place, "events", "guard");
    }
    if (place.roles.project) {
        logs.judged_feed = feed_of(place, "judged", "project");
    }
    return logs;
}

}  // namespace footfall::cli
