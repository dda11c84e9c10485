#include "deployment/log_place.h"

#include "journal_kafka/group_feed.h"
#include "journal_kafka/kafka_feed.h"
#include "journal_kafka/kafka_log.h"
#include "journal_kafka/shared_topic.h"
#include "journal_kafka/topic.h"
#include "runtime/lanes.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace footfall::deployment {
namespace {

/// Events wait so long at most for a guard to judge them.
constexpr std::chrono::days events_kept{7};

/// Once the brokers have not acknowledged an event for so long, more are refused at once.
constexpr std::chrono::seconds newcomers_until{15};

/// What was no event is there so long for somebody to look at.
constexpr std::chrono::days rejected_kept{30};

/// The same of what jobs write for other programs, who are expected to be there.
constexpr std::chrono::days outgoing_kept{7};

/// Of the memory of a process, what may be read ahead of each of those who follow a topic, and
/// of all who read old events together.
constexpr std::size_t follower_part = 16;
constexpr std::size_t readers_part = 32;
constexpr std::size_t ahead_least = 4 << 20;
constexpr std::size_t ahead_most = 32 << 20;

std::size_t part_of(const KafkaPlace& place, std::size_t part) {
    return std::clamp(place.memory_bytes / part, ahead_least, ahead_most);
}

/// A process that is silent so long has died: its lanes go to others.
constexpr std::chrono::seconds silence_max{10};
/// One that takes no records of others for so long hangs: its lanes go to others.
constexpr std::chrono::seconds between_polls_max{60};

journal_kafka::TopicOptions topic_of(const KafkaPlace& place, std::string_view name) {
    return {
        .name = place.prefix + std::string{name},
        .lanes = static_cast<std::uint32_t>(intake::JudgeLanes::count),
        .replicas = place.replicas,
        .in_sync = journal_kafka::in_sync_of(place.replicas)
    };
}

/// How long the brokers write to a file of a topic of which records go after `kept`: they give
/// space back, and let records go, by whole files.
std::chrono::seconds file_for(std::chrono::seconds kept) {
    constexpr int files_while_kept = 10;
    constexpr std::chrono::seconds least{10};
    constexpr std::chrono::seconds most = std::chrono::days{7};
    return std::clamp(kept / files_while_kept, least, most);
}

/// What goes of it goes by Retention, not by age alone.
journal_kafka::TopicOptions judged_topic_of(const KafkaPlace& place) {
    journal_kafka::TopicOptions judged = topic_of(place, "judged");
    if (place.judged_kept) {
        judged.file_for = file_for(*place.judged_kept);
    }
    return judged;
}

/// One with addresses in clear, in which records are of use for so long.
journal_kafka::TopicOptions topic_with_addresses(
    const KafkaPlace& place, std::string_view name, std::chrono::seconds of_use
) {
    journal_kafka::TopicOptions topic = topic_of(place, name);
    const std::chrono::seconds kept = std::min(of_use, place.addresses_kept.value_or(of_use));
    topic.kept = kept;
    topic.kept_at_most = place.addresses_kept.has_value();
    topic.file_for = file_for(kept);
    return topic;
}

std::unique_ptr<journal::LaneFeed> feed_of(
    const KafkaPlace& place, std::string_view topic, std::string_view role
) {
    journal_kafka::ConsumerOptions options{
        .group = place.prefix + std::string{role},
        .member = place.instance,
        .session = silence_max,
        .ahead_bytes = part_of(place, follower_part)
    };
    return std::make_unique<journal_kafka::KafkaFeed>(
        journal_kafka::ClusterOptions{.brokers = place.brokers},
        place.prefix + std::string{topic},
        std::move(options)
    );
}

/// All that comes into a topic, for this process alone.
std::unique_ptr<journal::LaneFeed> watch_of(const KafkaPlace& place, std::string_view topic) {
    journal_kafka::ConsumerOptions options{
        .group = place.prefix + "watch",
        .all_lanes = static_cast<std::uint32_t>(intake::JudgeLanes::count),
        .ahead_bytes = part_of(place, follower_part)
    };
    return std::make_unique<journal_kafka::KafkaFeed>(
        journal_kafka::ClusterOptions{.brokers = place.brokers},
        place.prefix + std::string{topic},
        std::move(options)
    );
}

/// What jobs write for other programs names persons: it is let go of with what it was made of.
class KafkaTopics final : public journal::OutgoingTopics {
public:
    explicit KafkaTopics(KafkaPlace place) : place_{std::move(place)} {}

    Result<std::unique_ptr<journal::MessageWriter>> open(std::string_view name) override {
        const std::chrono::seconds kept = std::min<std::chrono::seconds>(
            place_.judged_kept.value_or(outgoing_kept), outgoing_kept
        );
        TRY(auto topic,
            journal_kafka::SharedTopic::open(
                {.brokers = place_.brokers}, topic_with_addresses(place_, name, kept), {}
            ));
        return std::unique_ptr<journal::MessageWriter>{std::move(topic)};
    }

    std::uint32_t lane_of(std::string_view key, std::uint32_t lanes) const override {
        return journal_kafka::lane_of_key(key, lanes);
    }

private:
    const KafkaPlace place_;
};

Result<std::unique_ptr<journal::SharedFeed>> open_shared(
    const KafkaPlace& place, const journal_kafka::TopicOptions& topic, std::string_view role
) {
    return journal_kafka::GroupFeed::open(
        {.brokers = place.brokers},
        topic,
        {.group = place.prefix + std::string{role},
         .member = place.instance,
         .session = silence_max,
         .between_polls = between_polls_max,
         .ahead_bytes = part_of(place, follower_part)}
    );
}

Result<intake::Ingress::Topics> open_ingress(const KafkaPlace& place) {
    journal_kafka::TopicOptions ingress = topic_with_addresses(place, "ingress", events_kept);
    ingress.of_others = true;
    intake::Ingress::Topics topics;
    TRY(topics.events, open_shared(place, ingress, "collect"));
    TRY(topics.rejected,
        journal_kafka::SharedTopic::open(
            {.brokers = place.brokers}, topic_with_addresses(place, "events.dlq", rejected_kept), {}
        ));
    return topics;
}

Result<intake::Publisher::Topics> open_published(
    const KafkaPlace& place, std::chrono::seconds kept
) {
    intake::Publisher::Topics topics;
    TRY(topics.judged, open_shared(place, judged_topic_of(place), "publish"));
    TRY(topics.json,
        journal_kafka::SharedTopic::open(
            {.brokers = place.brokers}, topic_with_addresses(place, "judged.json", kept), {}
        ));
    return topics;
}

}  // namespace

Result<ClusterLogs> open_cluster_logs(const KafkaPlace& place, metrics::Metrics& metrics) {
    const journal_kafka::ClusterOptions cluster{.brokers = place.brokers};
    journal_kafka::TopicOptions events = topic_of(place, "events");
    events.kept = events_kept;
    ClusterLogs logs;
    logs.outgoing = std::make_unique<KafkaTopics>(place);
    const journal_kafka::WriterOptions refusing{.newcomers_until = newcomers_until};
    TRY(logs.events, journal_kafka::SharedTopic::open(cluster, events, refusing));
    TRY(logs.judged,
        journal_kafka::KafkaLog::open(
            {.cluster = cluster,
             .topic = judged_topic_of(place),
             .reader = {.bytes = part_of(place, readers_part), .metrics = &metrics}}
        ));
    if (place.roles.collect) {
        TRY(logs.ingress, open_ingress(place));
    }
    if (place.roles.guard) {
        logs.events_feed = feed_of(place, "events", "guard");
    }
    if (place.roles.project && place.published_kept) {
        TRY(logs.published, open_published(place, *place.published_kept));
    }
    if (place.roles.project) {
        logs.judged_feed = feed_of(place, "judged", "project");
    }
    if (place.roles.query) {
        logs.watch_feed = watch_of(place, "judged");
    }
    return logs;
}

Result<std::unique_ptr<journal::Log>> open_judged_log(const KafkaPlace& place) {
    return journal_kafka::KafkaLog::open_to_read(
        {.cluster = {.brokers = place.brokers}, .topic = topic_of(place, "judged")}
    );
}

}  // namespace footfall::deployment
