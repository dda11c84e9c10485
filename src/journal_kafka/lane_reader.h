#pragma once

#include "foundation/result.h"
#include "journal/log.h"
#include "journal/records.h"
#include "journal_kafka/client.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace footfall::journal_kafka {

struct ReaderOptions {
    /// Read ahead of each lane that is being read: so much, and what the brokers send at once.
    std::size_t ahead_bytes = 4 << 20;
};

/// Reads lanes of a topic from any offset on, each on its own: no group, nothing committed. A lane
/// stays where it was read to, so that reading on needs no request of its own; reading elsewhere
/// costs two.
///
/// Thread-safe: who reads a lane waits for whoever reads the same one.
class LaneReader {
public:
    /// Starts the threads; asks nothing of the brokers yet.
    static Result<std::unique_ptr<LaneReader>> start(
        const ClusterOptions& cluster,
        const std::string& topic,
        std::uint32_t lanes,
        const ReaderOptions& options
    );

    LaneReader(const LaneReader&) = delete;
    LaneReader& operator=(const LaneReader&) = delete;
    ~LaneReader();

    /// For other requests.
    rd_kafka_t& client() const { return *client_; }

    /// Records from `from` on, as many as `limit` lets and the lane has; none: that is its end.
    /// The lane ends at `end` at least. Waits. `corrupt`: the lane begins behind `from`.
    Result<journal::Records> read(
        std::uint32_t lane, std::uint64_t from, std::uint64_t end, journal::ReadLimit limit
    );

    /// Reads nothing more ahead of the lane, and drops what was.
    void rest(std::uint32_t lane);

private:
    struct Lane {
        std::mutex mutex;  ///< Guards the others.
        bool started = false;
        std::uint64_t next = 0;                          ///< What is read next, if it is started.
        std::deque<Owned<rd_kafka_message_t>> messages;  ///< From `next` on.
        std::uint64_t end = 0;                           ///< The lane ends here, or later.
    };

    LaneReader(
        Owned<rd_kafka_t> client,
        const ClusterOptions& cluster,
        std::string topic,
        std::uint32_t lanes
    );

    Result<void> go_to(std::uint32_t lane, std::uint64_t offset);
    void stop(std::uint32_t lane);
    Result<void> fetch(std::uint32_t lane, std::size_t records);
    Result<void> take_some(std::uint32_t lane, std::size_t records, int milliseconds);
    Result<void> find_end(std::uint32_t lane);

    const std::chrono::milliseconds patience_;
    const std::string name_;
    Owned<rd_kafka_t> client_;
    Owned<rd_kafka_topic_t> topic_;
    std::vector<Lane> lanes_;
};

}  // namespace footfall::journal_kafka
