#pragma once

#include "journal/log.h"
#include "journal_kafka/client.h"
#include "journal_kafka/lane_reader.h"
#include "journal_kafka/topic.h"
#include "journal_kafka/topic_writer.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::journal_kafka {

struct KafkaLogOptions {
    ClusterOptions cluster;
    TopicOptions topic;
    WriterOptions writer = {};
    ReaderOptions reader = {};
};

/// The log on Apache Kafka: a topic, a partition each lane, a record each message
/// (docs/decisions/0028-kafka.md). Durable is what all replicas in sync have.
///
/// A lane has one writer at a time. Kafka does not keep others away: a second one is noticed, when
/// a record comes to stand elsewhere than append() promised, and then records are lost as by a
/// failure. What was acknowledged stays; what was not may stand in the lane, also at another offset
/// than it was promised.
///
/// State: where each lane ends, under the lane's mutex as Log says; all else is in the topic. A
/// topic that is deleted and made anew is another log: it needs another name.
class KafkaLog final : public journal::Log {
public:
    /// Opens the log; makes its topic where there is none. Waits. `unavailable`: no broker answers.
    static Result<std::unique_ptr<KafkaLog>> open(const KafkaLogOptions& options);

    /// Opens a log that is there, only to read it, beside whoever writes it: append() answers
    /// `unavailable`, end() where the lane ended then. Waits. `not_found`: there is no such topic.
    static Result<std::unique_ptr<KafkaLog>> open_to_read(const KafkaLogOptions& options);

    KafkaLog(const KafkaLog&) = delete;
    KafkaLog& operator=(const KafkaLog&) = delete;

    /// Waits until what was appended is durable or lost.
    ~KafkaLog() override;

    /// Of the cluster's id and the topic's name.
    journal::LogId id() const override { return id_; }

    std::uint32_t lanes() const override { return topic_.lanes; }

    std::uint64_t end(std::uint32_t lane) const override;
    std::uint64_t begin(std::uint32_t lane) const override;

    /// One request to each broker.
    Result<void> find_begins() override;

    /// `overloaded`: the queue is full.
    Result<storage::CommitPosition> append(
        std::uint32_t lane, std::span<const std::string_view> records
    ) override;
    bool durable(storage::CommitPosition position) const override;
    void when_durable(storage::CommitPosition position, storage::DurableDone done) override;

    /// As fast as the brokers send where the lane was read to before; asks a broker for the lane's
    /// end before it answers none.
    Result<journal::Records> read(std::uint32_t lane, std::uint64_t from, journal::ReadLimit limit)
        override;
    void rest(std::uint32_t lane) override;
    Result<void> retain(std::uint32_t lane, std::uint64_t from) override;
    void on_lost_records(std::move_only_function<void()> lost) override;

    /// Not from a completion, nor from `lost`.
    Result<void> recover() override;

private:
    struct Lane {
        std::uint64_t end = 0;
        std::atomic<std::uint64_t> begin = 0;  ///< Not guarded.
    };

    KafkaLog(const KafkaLogOptions& options, std::unique_ptr<LaneReader> reader);

    static Result<std::unique_ptr<KafkaLog>> reach(const KafkaLogOptions& options);
    std::vector<std::uint32_t> all_lanes() const;
    Result<std::vector<std::uint64_t>> find_ends();
    Result<bool> begins_behind(std::uint32_t lane, std::uint64_t offset);
    void note_begin(std::uint32_t lane, std::uint64_t begin);

    const TopicOptions topic_;
    const std::chrono::milliseconds patience_;
    journal::LogId id_ = 0;  ///< Constant once it is open.
    std::vector<Lane> lanes_;
    std::unique_ptr<LaneReader> reader_;
    TopicWriter writer_;
    std::mutex retaining_;  ///< Held while a lane's beginning moves, or is looked for.
};

}  // namespace footfall::journal_kafka
