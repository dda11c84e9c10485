#pragma once

#include "foundation/result.h"
#include "journal/log.h"
#include "journal/records.h"
#include "journal_kafka/client.h"
#include "journal_kafka/open_lanes.h"
#include "metrics/metrics.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace footfall::journal_kafka {

struct ReaderOptions {
    std::size_t lanes = 8;  ///< Open at once, as of OpenLanes.
    /// Of all of them together: half for what is read ahead, half for what the brokers send at
    /// once, as they send it (compressed records take more).
    std::size_t bytes = 32 << 20;
    std::chrono::milliseconds idle{30'000};  ///< As of OpenLanes.
    metrics::Metrics* metrics = nullptr;     ///< As of OpenLanes.
};

/// Reads lanes of a topic from any offset on, each on its own: no group, nothing committed. A lane
/// stays open where it was read to, so that reading on needs no request of its own; reading
/// elsewhere costs two. Few are open at once, and none for long that nobody reads
/// (docs/decisions/0056-lanes-open-to-read.md).
///
/// Thread-safe: who reads a lane waits for whoever reads the same one, and for the others where as
/// many lanes are read as may be open.
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
    ~LaneReader() = default;

    /// For other requests.
    rd_kafka_t& client() const { return *client_; }

    /// Records from `from` on, as many as `limit` lets and the lane has; none: that is its end.
    /// The lane ends at `end` at least. Waits. `corrupt`: the lane begins behind `from`.
    Result<journal::Records> read(
        std::uint32_t lane, std::uint64_t from, std::uint64_t end, journal::ReadLimit limit
    );

    /// Reads nothing more ahead of the lane, and drops what was.
    void rest(std::uint32_t lane) { open_.close(lane); }

    /// How many lanes are open.
    std::size_t open_lanes() const { return open_.count(); }

private:
    /// Of whoever uses the lane.
    struct Lane {
        bool started = false;
        std::uint64_t next = 0;                          ///< What is read next, if it is started.
        std::deque<Owned<rd_kafka_message_t>> messages;  ///< From `next` on.
        std::uint64_t end = 0;                           ///< The lane ends here, or later.
    };

    LaneReader(
        Owned<rd_kafka_t> client,
        const ClusterOptions& cluster,
        std::string topic,
        std::uint32_t lanes,
        const ReaderOptions& options
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
    OpenLanes open_;  // last: closes lanes
};

}  // namespace footfall::journal_kafka
