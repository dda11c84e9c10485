#pragma once

#include "journal/message_writer.h"
#include "journal_kafka/topic_writer.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string_view>

namespace footfall::journal_kafka {

/// The end of a topic that many processes append to: the log of events. After records were lost,
/// the next append begins anew.
///
/// Thread-safe. An append after a loss waits for the producer to end.
class SharedTopic final : public journal::MessageWriter {
public:
    /// Makes the topic if it is not there. Waits.
    static Result<std::unique_ptr<SharedTopic>> open(
        const ClusterOptions& cluster, const TopicOptions& topic, const WriterOptions& options
    );

    ~SharedTopic() override;
    SharedTopic(const SharedTopic&) = delete;
    SharedTopic& operator=(const SharedTopic&) = delete;

    std::uint32_t lanes() const override { return writer_->lanes(); }

    Result<storage::CommitPosition> append(
        std::uint32_t lane, std::span<const std::string_view> records
    ) override;

    Result<storage::CommitPosition> write(std::uint32_t lane, const journal::Message& message)
        override;

    Result<void> health() const override { return writer_->health(); }

    bool durable(storage::CommitPosition position) const override {
        return writer_->durable(position);
    }

    void when_durable(storage::CommitPosition position, storage::DurableDone done) override {
        writer_->when_durable(position, std::move(done));
    }

private:
    explicit SharedTopic(std::unique_ptr<TopicWriter> writer);

    Result<void> begin_anew_after_loss();

    std::unique_ptr<TopicWriter> writer_;
    std::mutex restarting_;
    std::atomic<bool> lost_ = false;
};

}  // namespace footfall::journal_kafka
