#pragma once

#include "foundation/clock.h"
#include "foundation/result.h"
#include "foundation/seldom_log.h"
#include "journal_kafka/client.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::journal_kafka {

struct ConsumerOptions {
    std::string group;
    /// Above 0: all so many lanes are ours, whoever else reads them. The group is only a name then;
    /// records that are gone are passed over.
    std::uint32_t all_lanes = 0;
    /// The member's own name in the group, the same after a restart: its lanes wait for it as long
    /// as `session`. Empty: a restart is a new member, and who leaves is noticed at once.
    std::string member = {};
    std::chrono::milliseconds session{30'000};  ///< A member that is silent so long has died.
    /// A member that does not poll for so long has hung; above the longest restoring of state.
    std::chrono::milliseconds between_polls{300'000};
    /// Read ahead, over all lanes; and as much that is coming, as it is sent.
    std::size_t ahead_bytes = 32 << 20;
};

/// A record, valid until the next poll.
class Delivered {
public:
    explicit Delivered(rd_kafka_message_t& message) : message_{&message} {}

    std::uint32_t lane() const { return static_cast<std::uint32_t>(message_->partition); }

    std::uint64_t offset() const { return static_cast<std::uint64_t>(message_->offset); }

    std::string_view value() const {
        return {static_cast<const char*>(message_->payload), message_->len};
    }

    /// When its writer says that it was written, or the broker that it came.
    std::optional<Instant> time() const;

    std::string_view key() const {
        return {static_cast<const char*>(message_->key), message_->key_len};
    }

    /// The last header of that name.
    std::optional<std::string_view> header(const std::string& name) const;

private:
    rd_kafka_message_t* message_;
};

/// A member of a group that shares the lanes of a topic: it is told which are its own, and given
/// their records, each lane's in order. Where to go on it asks of whoever is told, since that is
/// kept with what was made of the records; what it commits to Kafka is for those who watch the lag.
///
/// Not thread-safe: one thread polls, on which the handlers run, inside poll() or close(). All
/// lanes are given back before any are given out anew (`range`, eager).
class LaneConsumer {
public:
    /// How lanes go.
    enum class Leave {
        orderly,  ///< The next owner begins when the handler is done: what is owed can be written.
        lost,     ///< Somebody else has them already: write nothing, forget what they were.
    };

    struct Handlers {
        /// These lanes are ours now; answers, for each, the offset to go on from. A failure ends
        /// the consumer: poll() answers it from then on.
        std::move_only_function<Result<std::vector<std::uint64_t>>(std::span<const std::uint32_t>)>
            assigned;
        std::move_only_function<void(std::span<const std::uint32_t>, Leave)> revoked;
    };

    /// Joins the group of a topic that is there. Waits for nothing: poll() does.
    static Result<std::unique_ptr<LaneConsumer>> join(
        const ClusterOptions& cluster,
        const std::string& topic,
        const ConsumerOptions& options,
        Handlers handlers
    );

    LaneConsumer(const LaneConsumer&) = delete;
    LaneConsumer& operator=(const LaneConsumer&) = delete;

    /// close().
    ~LaneConsumer();

    /// The next record of any lane, or none within `patience`. To be called again and again, also
    /// when there is no use for records (pause() the lanes then): it is how the group knows that
    /// the member works. `corrupt`: the record to go on from is gone. `unavailable`: somebody else
    /// has the member's name, or the like; to be closed and joined anew.
    Result<std::optional<Delivered>> poll(std::chrono::milliseconds patience);

    /// Gives no records of the lanes, which must be ours, until resume().
    Result<void> pause(std::span<const std::uint32_t> lanes);
    Result<void> resume(std::span<const std::uint32_t> lanes);

    /// Where these lanes end, in the order asked: as of offsets_at().
    Result<std::vector<std::uint64_t>> ends(
        std::span<const std::uint32_t> lanes, std::chrono::milliseconds patience
    );

    /// The same of where they begin.
    Result<std::vector<std::uint64_t>> begins(
        std::span<const std::uint32_t> lanes, std::chrono::milliseconds patience
    );

    /// What the group committed of these lanes, in the order asked; absent: nothing. Waits.
    Result<std::vector<std::optional<std::uint64_t>>> committed(
        std::span<const std::uint32_t> lanes, std::chrono::milliseconds patience
    );

    /// Goes on with this record of a lane of ours. Waits for the brokers, not for the record.
    Result<void> seek(std::uint32_t lane, std::uint64_t offset);

    /// Tells Kafka up to where each lane is done: for those who watch the lag, nobody goes on from
    /// there. One request for all: they are answered one after the other, each once the replicas
    /// have it, and the group's heartbeats wait behind them. Does not wait.
    void commit(const std::map<std::uint32_t, std::uint64_t>& offsets);

    /// The same of several lanes, for whoever goes on from there. Waits for the brokers.
    Result<void> commit_now(const std::map<std::uint32_t, std::uint64_t>& offsets);

    /// Whether the group gave our lanes away, since it heard nothing of us, and poll() has not said
    /// so yet. Thread-safe, never waits.
    bool lost() const;

    /// Gives the lanes back and ends. A member with a name does not leave the group: its lanes wait
    /// for it.
    void close();

private:
    LaneConsumer(std::string topic, Handlers handlers);

    static void rebalance(
        rd_kafka_t* client,
        rd_kafka_resp_err_t code,
        rd_kafka_topic_partition_list_t* partitions,
        void* self
    );
    void assign(rd_kafka_topic_partition_list_t& partitions);
    void revoke(const rd_kafka_topic_partition_list_t& partitions);

    const std::string topic_;
    Handlers handlers_;
    std::optional<Error> failure_;
    SeldomLog troubles_{std::chrono::seconds{10}};  ///< That mend by themselves.
    Owned<rd_kafka_t> client_;
    Owned<rd_kafka_message_t> current_;
};

}  // namespace footfall::journal_kafka
