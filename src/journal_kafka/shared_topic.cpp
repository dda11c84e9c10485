#include "journal_kafka/shared_topic.h"

#include <utility>

namespace footfall::journal_kafka {

Result<std::unique_ptr<SharedTopic>> SharedTopic::open(
    const ClusterOptions& cluster, const TopicOptions& topic, const WriterOptions& options
) {
    TRY(std::unique_ptr<TopicWriter> writer, TopicWriter::open(cluster, topic, options));
    return std::unique_ptr<SharedTopic>{new SharedTopic{std::move(writer)}};
}

SharedTopic::SharedTopic(std::unique_ptr<TopicWriter> writer) : writer_{std::move(writer)} {
    writer_->on_lost([this] { lost_.store(true); });
}

SharedTopic::~SharedTopic() {
    writer_->on_lost({});
}

Result<void> SharedTopic::begin_anew_after_loss() {
    if (lost_) {
        const std::lock_guard alone{restarting_};
        if (lost_) {
            writer_->halt();
            TRY_VOID(writer_->restart());
            lost_.store(false);
        }
    }
    return {};
}

Result<storage::CommitPosition> SharedTopic::append(
    std::uint32_t lane, std::span<const std::string_view> records
) {
    TRY_VOID(begin_anew_after_loss());
    return writer_->write(lane, records);
}

Result<storage::CommitPosition> SharedTopic::write(
    std::uint32_t lane, const journal::Message& message
) {
    TRY_VOID(begin_anew_after_loss());
    return writer_->write(lane, message);
}

}  // namespace footfall::journal_kafka
