#pragma once

#include "foundation/result.h"
#include "journal_kafka/client.h"
#include "journal_kafka/topic.h"

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::journal_kafka {

/// What a topic is made with, in Kafka's own names. Pure.
Settings settings_of(const TopicOptions& topic);

/// What a topic has that is there.
struct ExistingTopic {
    std::uint32_t replicas = 0;  ///< Of the partition that has the fewest.
    std::map<std::string, std::string, std::less<>> settings = {};  ///< In Kafka's own names.
};

/// In what a topic that is there is not as it was to be. Each is a sentence that ends with what
/// mends it.
struct TopicFaults {
    std::vector<std::string> refused = {
    };  ///< Records that were acknowledged would go, or none come.
    std::vector<std::string> warnings = {};

    bool none() const { return refused.empty() && warnings.empty(); }
};

/// What Kafka may delete before it was read, how many copies there are before a record is
/// acknowledged, and how long addresses stay. A setting that is not told is as it should be. Pure.
TopicFaults compare_topic(const TopicOptions& wanted, const ExistingTopic& existing);

/// The settings of a topic that is there, those it did not set itself as its brokers have them.
/// Waits.
Result<std::map<std::string, std::string, std::less<>>> topic_settings(
    rd_kafka_t& client, const std::string& topic, std::chrono::milliseconds patience
);

/// Compares them: `invalid_input` when the topic must not be used so, else what is not as it should
/// be is logged. So is that the brokers do not tell, for want of a right. Waits.
Result<void> check_settings(
    rd_kafka_t& client,
    const TopicOptions& topic,
    std::uint32_t replicas,
    std::chrono::milliseconds patience
);

}  // namespace footfall::journal_kafka
