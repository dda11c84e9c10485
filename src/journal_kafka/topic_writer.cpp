#include "journal_kafka/topic_writer.h"

#include "foundation/check.h"
#include "foundation/log.h"

#include <fmt/format.h>

#include <utility>

namespace footfall::journal_kafka {

using storage::CommitPosition;
using storage::DurableDone;

namespace {

constexpr std::chrono::milliseconds worrying_after{5'000};

}  // namespace

Result<std::unique_ptr<TopicWriter>> TopicWriter::open(
    const ClusterOptions& cluster, const TopicOptions& topic, const WriterOptions& options
) {
    std::unique_ptr<TopicWriter> writer{new TopicWriter{cluster, topic, options}};
    TRY_VOID(writer->restart());
    TRY_VOID(ensure_topic(writer->producer_->client(), cluster, topic));
    return writer;
}

TopicWriter::TopicWriter(
    const ClusterOptions& cluster, const TopicOptions& topic, const WriterOptions& options
)
    : cluster_{cluster},
      topic_{topic},
      options_{options},
      deliveries_{topic.lanes, {.records = options.queue_records, .bytes = options.queue_bytes}} {}

TopicWriter::~TopicWriter() {
    {
        std::unique_lock lock{mutex_};
        refusal_ = "closed";
        idle_.wait(lock, [&] { return deliveries_.idle(); });
    }
    halt();
}

void TopicWriter::halt() {
    std::unique_ptr<Producer> ended;
    {
        const std::scoped_lock lock{mutex_};
        state_ = State::halted;
        deliveries_.lose();
        ended = std::move(producer_);
    }
    ended.reset();
    tell_decided();
}

Result<void> TopicWriter::restart(std::span<const std::uint64_t> ends) {
    CHECK(ends.empty() || ends.size() == topic_.lanes, "an end for each lane", ends.size());
    TRY(std::unique_ptr<Producer> producer,
        Producer::start(
            cluster_,
            topic_.name,
            {.records = options_.queue_records,
             .bytes = options_.queue_bytes,
             .linger = options_.linger},
            {.reported = [this](auto messages) { take_reports(messages); },
             .failed =
                 [this](const Error& cause) {
                     const std::scoped_lock lock{mutex_};
                     refuse(cause);
                 },
             .passed = [this] { look_around(); }}
        ));
    const std::scoped_lock lock{mutex_};
    CHECK(state_ == State::halted, "restart() comes after halt()");
    for (std::uint32_t lane = 0; lane < ends.size(); ++lane) {
        deliveries_.expect(lane, ends[lane]);
    }
    producer_ = std::move(producer);
    state_ = State::running;
    refusal_.clear();
    return {};
}

Result<CommitPosition> TopicWriter::write(std::uint32_t lane, const Message& message) {
    return queue(lane, 1, message.value.size(), [&](std::size_t) { return message; });
}

Result<CommitPosition> TopicWriter::write(
    std::uint32_t lane, std::span<const std::string_view> values
) {
    if (values.empty()) {
        return 0;
    }
    std::size_t bytes = 0;
    for (const std::string_view value : values) {
        bytes += value.size();
    }
    return queue(lane, values.size(), bytes, [&](std::size_t at) {
        return Message{.value = values[at]};
    });
}

Result<CommitPosition> TopicWriter::queue(
    std::uint32_t lane,
    std::size_t records,
    std::size_t bytes,
    const std::function<Message(std::size_t)>& record
) {
    // Held until all is queued: positions of a lane are delivered in the order of its queue.
    const std::scoped_lock lock{mutex_};
    if (state_ != State::running || !refusal_.empty()) {
        return fail(ErrorKind::unavailable, fmt::format("kafka: {}", refusal_));
    }
    TRY_VOID(nothing_waits(options_.newcomers_until));
    const auto now = std::chrono::steady_clock::now();
    TRY(const CommitPosition position, deliveries_.send(lane, records, bytes, now));
    for (std::size_t at = 0; at < records; ++at) {
        if (const Result<void> queued = producer_->send(lane, record(at)); !queued) {
            // What came before it may be delivered: the position is lost, as any other.
            refuse(queued.error());
            producer_->wake();
            break;
        }
    }
    return position;
}

Result<void> TopicWriter::health() const {
    const std::scoped_lock lock{mutex_};
    return nothing_waits(worrying_after);
}

/// With mutex_ held: whether no record has waited longer for the brokers.
Result<void> TopicWriter::nothing_waits(std::chrono::milliseconds longest) const {
    const auto oldest = deliveries_.oldest();
    if (!oldest || *oldest + longest >= std::chrono::steady_clock::now()) {
        return {};
    }
    return fail(
        ErrorKind::unavailable,
        fmt::format(
            "kafka: topic {}: the brokers have not acknowledged a record for {} ms",
            topic_.name,
            longest.count()
        )
    );
}

bool TopicWriter::durable(CommitPosition position) const {
    const std::scoped_lock lock{mutex_};
    return deliveries_.durable(position);
}

void TopicWriter::when_durable(CommitPosition position, DurableDone done) {
    Result<void> outcome;
    {
        const std::scoped_lock lock{mutex_};
        if (position > deliveries_.decided()) {
            deliveries_.wait(position, std::move(done));
            return;
        }
        if (deliveries_.lost(position)) {
            outcome = fail(ErrorKind::outcome_unknown, "kafka: the record was lost");
        }
    }
    done(std::move(outcome));
}

void TopicWriter::on_lost(std::move_only_function<void()> lost) {
    const std::scoped_lock lock{handler_mutex_};
    lost_handler_ = std::move(lost);
}

std::optional<std::uint64_t> TopicWriter::delivered_end(std::uint32_t lane) const {
    const std::scoped_lock lock{mutex_};
    return deliveries_.end(lane);
}

void TopicWriter::take_reports(std::span<const rd_kafka_message_t* const> messages) {
    {
        const std::scoped_lock lock{mutex_};
        for (const rd_kafka_message_t* const message : messages) {
            if (state_ != State::running) {
                return;
            }
            const auto lane = static_cast<std::uint32_t>(message->partition);
            const Result<void> delivered =
                message->err == RD_KAFKA_RESP_ERR_NO_ERROR
                    ? deliveries_.deliver(
                          lane, static_cast<std::uint64_t>(message->offset), message->len
                      )
                    : outcome_of(message->err, fmt::format("append to lane {}", lane));
            if (!delivered) {
                refuse(delivered.error());
            }
        }
    }
    tell_decided();
}

void TopicWriter::look_around() {
    {
        const std::scoped_lock lock{mutex_};
        const auto oldest = deliveries_.oldest();
        if (oldest && *oldest + options_.deadline < std::chrono::steady_clock::now()) {
            refuse(
                {.kind = ErrorKind::timed_out,
                 .message = fmt::format(
                     "a record was not acknowledged within {} ms", options_.deadline.count()
                 )}
            );
        }
        if (state_ != State::losing) {
            return;
        }
        state_ = State::halted;
        deliveries_.lose();
    }
    tell_decided();
    const std::scoped_lock lock{handler_mutex_};
    if (lost_handler_) {
        lost_handler_();
    }
}

void TopicWriter::refuse(const Error& cause) {
    if (state_ != State::running) {
        return;
    }
    state_ = State::losing;
    refusal_ = fmt::format("records were lost: {}", cause.message);
    losses_.say(LogLevel::error, fmt::format("kafka: topic {}: {}", topic_.name, refusal_));
    // Before anything is queued that could be sent without what is lost.
    producer_->drop();
}

void TopicWriter::tell_decided() {
    std::vector<std::pair<CommitPosition, DurableDone>> decided;
    std::vector<bool> lost;
    {
        const std::scoped_lock lock{mutex_};
        decided = deliveries_.take_decided();
        for (const auto& [position, _] : decided) {
            lost.push_back(deliveries_.lost(position));
        }
        if (deliveries_.idle()) {
            idle_.notify_all();
        }
    }
    for (std::size_t at = 0; at < decided.size(); ++at) {
        decided[at].second(
            lost[at] ? fail(ErrorKind::outcome_unknown, "kafka: the record was lost")
                     : Result<void>{}
        );
    }
}

}  // namespace footfall::journal_kafka
