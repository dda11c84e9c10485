#pragma once

#include "journal/shared_feed.h"
#include "journal_kafka/client.h"
#include "journal_kafka/lane_consumer.h"
#include "journal_kafka/topic.h"

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace footfall::journal_kafka {

/// A topic that is read by the members of a group. How far it is done is committed to Kafka, which
/// is where any member goes on: once a second, and when lanes go. A record of which that was not
/// committed is given again. A group that never committed begins with what there is.
class GroupFeed final : public journal::SharedFeed {
public:
    /// Makes the topic where there is none. Waits.
    static Result<std::unique_ptr<GroupFeed>> open(
        ClusterOptions cluster, const TopicOptions& topic, ConsumerOptions consumer
    );

    ~GroupFeed() override;
    GroupFeed(const GroupFeed&) = delete;
    GroupFeed& operator=(const GroupFeed&) = delete;

    /// log_id().
    journal::LogId id() const override { return id_; }

    const std::string& name() const override { return topic_; }

    Result<std::span<const journal::SharedRecord>> poll(std::chrono::milliseconds patience
    ) override;
    void done() override;
    void leave() override;

private:
    GroupFeed(ClusterOptions cluster, std::string topic, ConsumerOptions consumer);

    Result<void> join();
    Result<std::vector<std::uint64_t>> begin(std::span<const std::uint32_t> lanes);
    void give_back(std::span<const std::uint32_t> lanes, LaneConsumer::Leave leave);
    Result<void> gather(std::chrono::milliseconds patience);
    void commit_in_time();

    const ClusterOptions cluster_;
    const std::string topic_;
    const ConsumerOptions options_;
    journal::LogId id_ = 0;
    std::unique_ptr<LaneConsumer> consumer_;
    std::vector<journal::SharedRecord> given_;
    std::map<std::uint32_t, std::uint64_t> done_;  ///< Before this, of each lane of ours.
    std::chrono::steady_clock::time_point committed_at_{};
};

}  // namespace footfall::journal_kafka
