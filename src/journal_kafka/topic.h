#pragma once

#include "foundation/result.h"
#include "journal_kafka/client.h"

#include <chrono>
#include <cstdint>
#include <string>

namespace footfall::journal_kafka {

/// A topic as it should be: a partition for each lane.
struct TopicOptions {
    std::string name;
    std::uint32_t lanes = 64;
    std::uint16_t replicas = 3;
    std::uint16_t in_sync = 2;  ///< So many replicas have a record before it is acknowledged.
    /// Each as it is in Kafka; kept for ever unless it says otherwise.
    std::chrono::milliseconds kept{-1};
};

/// The largest value a topic of ours takes, and what Kafka adds to it.
inline constexpr std::size_t message_bytes_max = 2 << 20;

/// Makes the topic if it is not there, and waits until all its partitions can be written.
/// `invalid_input`: it is there with another number of partitions, which can never change.
Result<void> ensure_topic(
    rd_kafka_t& client, const TopicOptions& topic, std::chrono::milliseconds patience
);

/// What a partition holds: records from `begin` to before `end`, as far as they are replicated.
struct Extent {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
};

Result<Extent> extent_of(
    rd_kafka_t& client,
    const std::string& topic,
    std::uint32_t lane,
    std::chrono::milliseconds patience
);

/// Deletes the partition's records before `offset`.
Result<void> delete_records(
    rd_kafka_t& client,
    const std::string& topic,
    std::uint32_t lane,
    std::uint64_t offset,
    std::chrono::milliseconds patience
);

/// What the brokers call their cluster.
Result<std::string> cluster_id(rd_kafka_t& client, std::chrono::milliseconds patience);

}  // namespace footfall::journal_kafka
