#pragma once

#include "foundation/result.h"
#include "foundation/seldom_log.h"
#include "journal_kafka/client.h"
#include "journal_kafka/deliveries.h"
#include "journal_kafka/producer.h"
#include "journal_kafka/topic.h"
#include "storage/store.h"

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::journal_kafka {

struct WriterOptions {
    std::size_t queue_records = 1'000'000;  ///< On the way at once; above it `overloaded`.
    std::size_t queue_bytes = 128 << 20;
    std::chrono::milliseconds linger{5};  ///< How long it waits for more to send with a record.
    /// A record that no broker has acknowledged after this long is lost.
    std::chrono::milliseconds deadline{30'000};
    /// Once a record has waited so long, no more are taken until it is acknowledged or lost: who
    /// comes then is told at once, rather than made to wait, too.
    std::chrono::milliseconds newcomers_until = deadline;
};

/// Writes records to the partitions of a topic that others may write to as well. Positions grow
/// with every write and become durable in order, over all lanes: durable is what all replicas in
/// sync have taken (acks=all).
///
/// A record that cannot be delivered loses all that is on the way: the waiters are told
/// `outcome_unknown` (a lost record may stand in the topic all the same), `lost` is called, and
/// writes answer `unavailable` until restart(). In each lane, what was written is a beginning of
/// what was to be written.
///
/// Thread-safe. Completions run on the writer's thread, or on the caller's, inside the call; they
/// must not block.
class TopicWriter {
public:
    /// Makes the topic if it is not there, and takes writes. Waits.
    static Result<std::unique_ptr<TopicWriter>> open(
        const ClusterOptions& cluster, const TopicOptions& topic, const WriterOptions& options
    );

    /// One that takes writes after restart(), for a topic that is there.
    TopicWriter(
        const ClusterOptions& cluster, const TopicOptions& topic, const WriterOptions& options
    );

    TopicWriter(const TopicWriter&) = delete;
    TopicWriter& operator=(const TopicWriter&) = delete;

    /// Waits until all is delivered or lost.
    ~TopicWriter();

    std::uint32_t lanes() const { return topic_.lanes; }

    /// Queues a record. Never waits. `overloaded`, `unavailable`: nothing was queued; `unavailable`
    /// for a while where newcomers are not taken.
    Result<storage::CommitPosition> write(std::uint32_t lane, const Message& message);

    /// The same for several, one after the other; a bare value each. Position 0 for none.
    Result<storage::CommitPosition> write(
        std::uint32_t lane, std::span<const std::string_view> values
    );

    /// `unavailable` while a record waits longer than brokers take that are well, five seconds.
    Result<void> health() const;

    /// As of Store.
    bool durable(storage::CommitPosition position) const;
    void when_durable(storage::CommitPosition position, storage::DurableDone done);

    /// What is to be called when records were lost, on the writer's thread. As Log's.
    void on_lost(std::move_only_function<void()> lost);

    /// Refuses writes, loses what is on the way, ends the producer. Waits; not from a completion.
    void halt();

    /// Takes writes again, with a new producer. `ends`: for each lane, the offset that its next
    /// record must get, or else be lost: for whoever is the only writer. Empty: any will do. After
    /// halt(). Waits not.
    Result<void> restart(std::span<const std::uint64_t> ends = {});

    /// Where the lane's delivered records end; absent: restart() was not told.
    std::optional<std::uint64_t> delivered_end(std::uint32_t lane) const;

private:
    enum class State {
        running,
        losing,  ///< Writes are refused; the writer's thread has not told so yet.
        halted
    };

    Result<storage::CommitPosition> queue(
        std::uint32_t lane,
        std::size_t records,
        std::size_t bytes,
        const std::function<Message(std::size_t)>& record
    );
    Result<void> nothing_waits(std::chrono::milliseconds longest) const;
    void take_reports(std::span<const rd_kafka_message_t* const> messages);
    void look_around();
    void refuse(const Error& cause);
    void tell_decided();

    const ClusterOptions cluster_;
    const TopicOptions topic_;
    const WriterOptions options_;

    mutable std::mutex mutex_;  // guards all up to producer_
    std::condition_variable idle_;
    State state_ = State::halted;
    std::string refusal_ =
        "not open to write";  ///< Why writes are not taken; empty: they are, if it runs.
    SeldomLog losses_{std::chrono::seconds{10}};
    Deliveries deliveries_;
    std::unique_ptr<Producer> producer_;  ///< There unless halted.

    std::mutex handler_mutex_;
    std::move_only_function<void()> lost_handler_;  // guarded by handler_mutex_
};

}  // namespace footfall::journal_kafka
