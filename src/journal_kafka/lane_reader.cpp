#include "journal_kafka/lane_reader.h"

#include "journal_kafka/topic.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

namespace footfall::journal_kafka {
namespace {

using journal::ReadLimit;
using journal::Records;

constexpr std::size_t messages_at_once = 1000;
constexpr int soon_milliseconds = 5;
constexpr int later_milliseconds = 20;

Settings reader_settings(const ReaderOptions& options) {
    constexpr std::size_t least = 64 << 10;
    const std::size_t half = std::max(options.bytes / options.lanes / 2, least);
    return {
        {"enable.auto.commit", "false"},
        {"enable.auto.offset.store", "false"},
        {"auto.offset.reset", "error"},
        {"check.crcs", "true"},
        // A broker answers one request at a time: a lane that is read from elsewhere on waits for
        // the one that waits for records of other lanes.
        {"fetch.wait.max.ms", "20"},
        {"fetch.error.backoff.ms", "20"},
        // Of each lane. A batch that is larger comes all the same.
        {"fetch.message.max.bytes", fmt::format("{}", half)},
        {"queued.min.messages", "1000000"},
        {"queued.max.messages.kbytes", fmt::format("{}", half >> 10)},
    };
}

}  // namespace

Result<std::unique_ptr<LaneReader>> LaneReader::start(
    const ClusterOptions& cluster,
    const std::string& topic,
    std::uint32_t lanes,
    const ReaderOptions& options
) {
    TRY(Owned<rd_kafka_conf_t> configuration, configure(cluster, reader_settings(options)));
    TRY(Owned<rd_kafka_t> client, start_client(RD_KAFKA_CONSUMER, std::move(configuration)));
    return std::unique_ptr<LaneReader>{
        new LaneReader{std::move(client), cluster, topic, lanes, options}
    };
}

LaneReader::LaneReader(
    Owned<rd_kafka_t> client,
    const ClusterOptions& cluster,
    std::string topic,
    std::uint32_t lanes,
    const ReaderOptions& options
)
    : patience_{cluster.patience},
      name_{std::move(topic)},
      client_{std::move(client)},
      topic_{rd_kafka_topic_new(client_.get(), name_.c_str(), nullptr)},
      lanes_(lanes),
      open_{
          {.most = options.lanes, .idle = options.idle, .metrics = options.metrics},
          [this](std::uint32_t lane) { stop(lane); }
      } {}

Result<Records> LaneReader::read(
    std::uint32_t lane, std::uint64_t from, std::uint64_t end, ReadLimit limit
) {
    const OpenLanes::Use alone = open_.use(lane);
    Lane& state = lanes_[lane];
    state.end = std::max(state.end, end);
    if (from >= state.end) {
        TRY_VOID(find_end(lane));
    }
    Records records{from};
    if (from >= state.end) {
        return records;
    }
    TRY_VOID(go_to(lane, from));
    while (records.size() < limit.records && records.next() < state.end) {
        if (state.messages.empty()) {
            const std::size_t wanted =
                std::min(limit.records - records.size(), state.end - records.next());
            TRY_VOID(fetch(lane, std::min(wanted, messages_at_once)));
        }
        const rd_kafka_message_t& message = *state.messages.front();
        if (!records.empty() && records.bytes() + message.len > limit.bytes) {
            break;
        }
        records.append({static_cast<const char*>(message.payload), message.len});
        state.messages.pop_front();
        ++state.next;
    }
    return records;
}

Result<void> LaneReader::go_to(std::uint32_t lane, std::uint64_t offset) {
    Lane& state = lanes_[lane];
    if (state.started && state.next == offset) {
        return {};
    }
    stop(lane);
    const int started = rd_kafka_consume_start(
        topic_.get(), static_cast<std::int32_t>(lane), static_cast<std::int64_t>(offset)
    );
    if (started != 0) {
        return outcome_of(rd_kafka_last_error(), fmt::format("read lane {} of {}", lane, name_));
    }
    state.started = true;
    state.next = offset;
    return {};
}

void LaneReader::stop(std::uint32_t lane) {
    Lane& state = lanes_[lane];
    if (state.started) {
        const auto partition = static_cast<std::int32_t>(lane);
        rd_kafka_consume_stop(topic_.get(), partition);
        state.messages.clear();
        state.started = false;
        // What was read ahead is out of date now, and stays in memory until somebody asks for more
        // of the lane: then it is dropped, and nothing is answered.
        rd_kafka_message_t* dropped = nullptr;
        if (rd_kafka_consume_batch(topic_.get(), partition, 0, &dropped, 1) > 0) {
            rd_kafka_message_destroy(dropped);
        }
    }
}

Result<void> LaneReader::find_end(std::uint32_t lane) {
    TRY(const std::uint64_t end, offset_at(*client_, name_, lane, Side::end, patience_));
    lanes_[lane].end = std::max(lanes_[lane].end, end);
    return {};
}

Result<void> LaneReader::fetch(std::uint32_t lane, std::size_t records) {
    Lane& state = lanes_[lane];
    TRY_VOID(take_some(lane, records, 0));
    if (state.messages.empty()) {
        TRY_VOID(take_some(lane, records, soon_milliseconds));
    }
    const auto deadline = std::chrono::steady_clock::now() + patience_;
    while (state.messages.empty()) {
        // Any request has the client look whether there is room for more records, for which it
        // would wait a second else (librdkafka before 2.2).
        TRY_VOID(find_end(lane));
        TRY_VOID(take_some(lane, records, later_milliseconds));
        if (state.messages.empty() && std::chrono::steady_clock::now() > deadline) {
            return fail(
                ErrorKind::timed_out,
                fmt::format("kafka: read lane {} of {}: no records came", lane, name_)
            );
        }
    }
    return {};
}

Result<void> LaneReader::take_some(std::uint32_t lane, std::size_t records, int milliseconds) {
    Lane& state = lanes_[lane];
    std::array<rd_kafka_message_t*, messages_at_once> taken{};
    const ssize_t count = rd_kafka_consume_batch(
        topic_.get(), static_cast<std::int32_t>(lane), milliseconds, taken.data(), records
    );
    Result<void> outcome;
    if (count < 0) {
        outcome = outcome_of(rd_kafka_last_error(), fmt::format("read lane {} of {}", lane, name_));
    }
    for (ssize_t at = 0; at < count; ++at) {
        Owned<rd_kafka_message_t> message{taken[static_cast<std::size_t>(at)]};
        const std::uint64_t wanted = state.next + state.messages.size();
        if (outcome && message->err != RD_KAFKA_RESP_ERR_NO_ERROR) {
            outcome = std::unexpected(error_of(
                message->err,
                fmt::format("read lane {} of {} from {}", lane, name_, wanted),
                rd_kafka_message_errstr(message.get())
            ));
        } else if (outcome && static_cast<std::uint64_t>(message->offset) != wanted) {
            outcome = fail(
                ErrorKind::corrupt,
                fmt::format("kafka: lane {} of {}: no record {}", lane, name_, wanted)
            );
        } else if (outcome) {
            state.messages.push_back(std::move(message));
        }
    }
    if (!outcome) {
        stop(lane);
    }
    return outcome;
}

}  // namespace footfall::journal_kafka
