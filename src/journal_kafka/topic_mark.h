#pragma once

#include "foundation/result.h"
#include "journal_kafka/client.h"
#include "journal_kafka/topic.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace footfall::journal_kafka {

/// A text that stands for good beside topics, and says whose they are. Kafka keeps nothing of ours
/// with a topic, so it is the first record of a topic of its own, of one partition, that is kept
/// for ever. Whoever writes it first is who all others find, and nobody writes it again.
class TopicMark {
public:
    /// Asks the brokers who they are. Waits. `unavailable`: none answers.
    static Result<TopicMark> reach(
        const ClusterOptions& cluster, std::string topic, std::uint16_t replicas
    );

    /// What the brokers call their cluster.
    const std::string& cluster_id() const { return cluster_id_; }

    /// Absent: there is none, also after so much patience for those who may be making it. Waits.
    Result<std::optional<std::string>> read(std::chrono::milliseconds patience) const;

    /// Writes it unless there is one; answers what stands then. Waits.
    Result<std::string> settle(std::string_view text) const;

    /// Whether there is a topic of this name. Waits.
    Result<bool> is_topic(const std::string& name) const;

private:
    TopicMark(ClusterOptions cluster, TopicOptions topic, Owned<rd_kafka_t> client);

    ClusterOptions cluster_;
    TopicOptions topic_;
    Owned<rd_kafka_t> client_;
    std::string cluster_id_;
};

}  // namespace footfall::journal_kafka
