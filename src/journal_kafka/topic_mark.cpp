#include "journal_kafka/topic_mark.h"

#include "journal_kafka/kafka_log.h"
#include "journal_kafka/shared_topic.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

namespace footfall::journal_kafka {
namespace {

Result<std::optional<std::string>> first_record(journal::Log& log) {
    TRY(const journal::Records records, log.read(0, 0, {.records = 1}));
    return records.empty() ? std::nullopt : std::optional{std::string{records[0]}};
}

}  // namespace

Result<TopicMark> TopicMark::reach(
    const ClusterOptions& cluster, std::string topic, std::uint16_t replicas
) {
    TRY(Owned<rd_kafka_conf_t> configuration, configure(cluster, {}));
    TRY(Owned<rd_kafka_t> client, start_client(RD_KAFKA_CONSUMER, std::move(configuration)));
    TopicMark mark{
        cluster,
        {.name = std::move(topic), .lanes = 1, .replicas = replicas, .in_sync = in_sync_of(replicas)
        },
        std::move(client)
    };
    TRY(mark.cluster_id_, journal_kafka::cluster_id(*mark.client_, cluster.patience));
    return mark;
}

TopicMark::TopicMark(ClusterOptions cluster, TopicOptions topic, Owned<rd_kafka_t> client)
    : cluster_{std::move(cluster)}, topic_{std::move(topic)}, client_{std::move(client)} {}

Result<std::optional<std::string>> TopicMark::read(std::chrono::milliseconds patience) const {
    const auto deadline = std::chrono::steady_clock::now() + patience;
    for (;;) {
        TRY(const bool is_there, is_topic(topic_.name));
        if (is_there) {
            break;
        }
        if (std::chrono::steady_clock::now() >= deadline) {
            return std::nullopt;
        }
        pause_before_retry();
    }
    TRY(const auto log, KafkaLog::open_to_read({.cluster = cluster_, .topic = topic_}));
    return first_record(*log);
}

Result<std::string> TopicMark::settle(std::string_view text) const {
    TRY(const auto writer, SharedTopic::open(cluster_, topic_, {}));
    TRY(const auto log, KafkaLog::open_to_read({.cluster = cluster_, .topic = topic_}));
    TRY(std::optional<std::string> stands, first_record(*log));
    if (!stands) {
        const std::vector<std::string_view> only{text};
        TRY(const storage::CommitPosition position, writer->append(0, only));
        TRY_VOID(journal::wait_durable(*writer, position, cluster_.patience));
        // Not ours, where somebody wrote one meanwhile.
        TRY(stands, first_record(*log));
    }
    if (!stands) {
        return fail(
            ErrorKind::unavailable,
            fmt::format("kafka: the record of topic {} is not read yet; try again", topic_.name)
        );
    }
    return *std::move(stands);
}

Result<bool> TopicMark::is_topic(const std::string& name) const {
    return journal_kafka::is_topic(*client_, name, cluster_.patience);
}

}  // namespace footfall::journal_kafka
