#pragma once

#include "foundation/result.h"
#include "journal/message_writer.h"
#include "journal_kafka/client.h"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

namespace footfall::journal_kafka {

using journal::Message;

struct ProducerOptions {
    std::size_t records = 0;  ///< So much it holds at once.
    std::size_t bytes = 0;
    std::chrono::milliseconds linger{5};  ///< How long it waits for more to send with a record.
};

/// One idempotent producer of one topic, and the thread that is told what came of its records. It
/// never gives up on a record and never leaves one out: whoever owns it decides when it was long
/// enough, and ends it. After a fatal error it is of no use any more.
class Producer {
public:
    /// What happened, on the producer's thread: records that were delivered, or not, in the order
    /// of each lane; a fatal error; or nothing, ten times a second.
    struct Events {
        std::move_only_function<void(std::span<const rd_kafka_message_t* const>)> reported;
        std::move_only_function<void(Error)> failed;
        std::move_only_function<void()> passed;
    };

    /// Starts the threads; asks nothing of the brokers yet.
    static Result<std::unique_ptr<Producer>> start(
        const ClusterOptions& cluster,
        const std::string& topic,
        const ProducerOptions& options,
        Events events
    );

    Producer(const Producer&) = delete;
    Producer& operator=(const Producer&) = delete;

    /// Ends the thread; drops what was not sent. Not on that thread.
    ~Producer();

    rd_kafka_t& client() const { return *client_; }

    /// Queues a record. Never waits.
    Result<void> send(std::uint32_t lane, const Message& message);

    /// Drops what is queued, and no longer waits for what was sent.
    void drop();

    /// Has the thread look at once.
    void wake();

private:
    Producer(Owned<rd_kafka_t> client, const std::string& topic, Events events);

    void serve();
    void take_reports(rd_kafka_event_t& event);

    Owned<rd_kafka_t> client_;
    Owned<rd_kafka_topic_t> topic_;
    Owned<rd_kafka_queue_t> events_queue_;
    Events events_;
    std::atomic<bool> stopping_ = false;
    std::thread thread_;
};

}  // namespace footfall::journal_kafka
