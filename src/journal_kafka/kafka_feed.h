#pragma once

#include "journal/lane_feed.h"
#include "journal/portion_size.h"
#include "journal/side_by_side.h"
#include "journal_kafka/client.h"
#include "journal_kafka/lane_consumer.h"

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace footfall::journal_kafka {

/// A topic of which each lane is read by one process of a group. Joins with the first poll, and
/// again with the next one after the group, or the reader, failed. Gives the reader eight lanes at
/// once, fewer records after a failure of its. Belongs to one thread.
class KafkaFeed final : public journal::LaneFeed {
public:
    /// The topic must be there by the first poll.
    KafkaFeed(ClusterOptions cluster, std::string topic, ConsumerOptions options);
    /// Leaves the group. Who read has to be told before, by leave(): it is not called any more.
    ~KafkaFeed() override;
    KafkaFeed(const KafkaFeed&) = delete;
    KafkaFeed& operator=(const KafkaFeed&) = delete;

    Result<void> poll(journal::LaneReader& reader, std::chrono::milliseconds patience) override;
    bool caught_up() const override;
    bool lost() const override;
    std::uint64_t behind() const override;
    Result<void> rewind(journal::LaneReader& reader) override;
    void leave(journal::LaneReader& reader, bool lost) override;

private:
    Result<void> join();
    std::vector<std::uint32_t> our_lanes() const;
    Result<void> find_ends();
    Result<std::vector<journal::Portion>> gather(std::chrono::milliseconds patience);
    Result<void> read_anew(journal::LaneReader& reader, std::span<const std::uint32_t> lanes);
    void tell_lag();

    const ClusterOptions cluster_;
    const std::string topic_;
    const ConsumerOptions options_;
    journal::SideBySide readers_;
    journal::PortionSize portion_;  ///< What the reader is given at most at once, of all lanes.
    std::unique_ptr<LaneConsumer> consumer_;
    mutable std::mutex consumer_changes_;    ///< Held while consumer_ is set, and by lost().
    journal::LaneReader* reader_ = nullptr;  ///< Of the call under way, or the last one.
    std::map<std::uint32_t, journal::Records> gathered_;  ///< While records are gathered.
    std::map<std::uint32_t, std::uint64_t> done_;  ///< Of each lane of ours: taken before this.
    /// Where lanes of ours ended when they were given out; absent: that is to be asked.
    std::optional<std::map<std::uint32_t, std::uint64_t>> ends_;
    bool as_lost_ = false;                         ///< Lanes that go are to be told of as lost.
    bool has_lanes_ = false;                       ///< They were given out, be it none to us.
    std::map<std::uint32_t, std::uint64_t> told_;  ///< What those who watch the lag know.
    std::chrono::steady_clock::time_point told_at_{};
};

}  // namespace footfall::journal_kafka
