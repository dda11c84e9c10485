#pragma once

#include "foundation/result.h"
#include "journal/log.h"
#include "journal/message_writer.h"
#include "journal_kafka/client.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::journal_kafka {

/// A topic as it should be: a partition for each lane.
struct TopicOptions {
    std::string name;
    std::uint32_t lanes = 64;
    /// Made by others, perhaps, who write to it: any number of lanes will do, and whatever else is
    /// not as it should be is told, never refused.
    bool of_others = false;
    std::uint16_t replicas = 3;
    std::uint16_t in_sync = 2;  ///< So many replicas have a record before it is acknowledged.
    /// How long Kafka keeps records; below 0: for ever, they go by delete_records().
    std::chrono::milliseconds kept{-1};
    /// No longer either: there are addresses in it.
    bool kept_at_most = false;
    /// The brokers give space back by whole files; so long they write to one at most, and at most
    /// 64 MiB, when they make the topic. Absent: as they are configured, mostly a week and 1 GiB.
    std::optional<std::chrono::milliseconds> file_for = {};
};

/// Of so many copies, how many are to have a record before it is acknowledged: two, so that one
/// broker may be lost and one be away.
constexpr std::uint16_t in_sync_of(std::uint16_t replicas) {
    return replicas > 2 ? 2 : 1;
}

/// The largest value a topic of ours takes, and what Kafka adds to it.
inline constexpr std::size_t message_bytes_max = journal::MessageWriter::message_bytes_max;

/// Makes the topic if it is not there, and waits until every broker knows it and all its partitions
/// can be written: a client that asks one that does not would take the topic for gone. One that is
/// there has to suit (topic_settings.h). `invalid_input`: it does not, or has another number of
/// partitions, which can never change.
Result<void> ensure_topic(
    rd_kafka_t& client, const ClusterOptions& cluster, const TopicOptions& topic
);

/// Waits until the topic can be read and written, and makes none. `not_found`: it is not there;
/// `invalid_input` as above.
Result<void> find_topic(
    rd_kafka_t& client, const TopicOptions& topic, std::chrono::milliseconds patience
);

/// Whether there is such a topic, by the broker that answers: another one may know more, when the
/// topic was made just now. Waits.
Result<bool> is_topic(
    rd_kafka_t& client, const std::string& name, std::chrono::milliseconds patience
);

/// The lane of a key: the partition that Kafka's own clients choose for it (murmur2), so that who
/// writes by them and who writes by us agree. Pure.
std::uint32_t lane_of_key(std::string_view key, std::uint32_t lanes);

/// The one or the other end of a lane.
enum class Side {
    begin,  ///< The offset of its first record.
    end,    ///< Behind the last record that all replicas in sync have: the high watermark.
};

/// Where these lanes begin or end, in the order asked. One request for each broker, or a few until
/// patience is at its end.
Result<std::vector<std::uint64_t>> offsets_at(
    rd_kafka_t& client,
    const std::string& topic,
    std::span<const std::uint32_t> lanes,
    Side side,
    std::chrono::milliseconds patience
);

/// The same for one lane.
Result<std::uint64_t> offset_at(
    rd_kafka_t& client,
    const std::string& topic,
    std::uint32_t lane,
    Side side,
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

/// What the brokers call their cluster. Waits. `unavailable`: none answers.
Result<std::string> cluster_id(rd_kafka_t& client, std::chrono::milliseconds patience);

/// Which log a topic is: a hash of what the brokers call their cluster and of its name. Waits.
Result<journal::LogId> log_id(
    rd_kafka_t& client, const std::string& topic, std::chrono::milliseconds patience
);

}  // namespace footfall::journal_kafka
