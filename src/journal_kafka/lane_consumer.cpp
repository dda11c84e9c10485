#include "journal_kafka/lane_consumer.h"

#include "foundation/check.h"
#include "foundation/log.h"
#include "journal_kafka/topic.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

namespace footfall::journal_kafka {
namespace {

Settings consumer_settings(const ConsumerOptions& options) {
    Settings settings{
        {"group.id", options.group},
        {"partition.assignment.strategy", "range"},
        {"enable.auto.commit", "false"},
        {"enable.auto.offset.store", "false"},
        {"auto.offset.reset", options.all_lanes > 0 ? "earliest" : "error"},
        {"check.crcs", "true"},
        {"isolation.level", "read_committed"},
        {"session.timeout.ms", fmt::format("{}", options.session.count())},
        {"heartbeat.interval.ms", fmt::format("{}", options.session.count() / 10)},
        {"max.poll.interval.ms", fmt::format("{}", options.between_polls.count())},
        {"fetch.wait.max.ms", "100"},
        {"fetch.error.backoff.ms", "100"},
        {"fetch.max.bytes", fmt::format("{}", options.ahead_bytes)},
        {"queued.min.messages", "1000000"},
        {"queued.max.messages.kbytes", fmt::format("{}", options.ahead_bytes >> 10)},
    };
    if (!options.member.empty()) {
        settings.emplace_back("group.instance.id", options.member);
    }
    return settings;
}

std::vector<std::uint32_t> lanes_of(const rd_kafka_topic_partition_list_t& partitions) {
    std::vector<std::uint32_t> lanes;
    lanes.reserve(static_cast<std::size_t>(partitions.cnt));
    for (int at = 0; at < partitions.cnt; ++at) {
        lanes.push_back(static_cast<std::uint32_t>(partitions.elems[at].partition));
    }
    return lanes;
}

/// "22 lanes, 0 to 21": members of a group have neighbours.
std::string lanes_text(std::span<const std::uint32_t> lanes) {
    if (lanes.empty()) {
        return "no lanes";
    }
    const auto [first, last] = std::ranges::minmax(lanes);
    return fmt::format("{} lanes, {} to {}", lanes.size(), first, last);
}

/// Where each lane is to go on.
Owned<rd_kafka_topic_partition_list_t> offsets_of(
    const std::string& topic, const std::map<std::uint32_t, std::uint64_t>& offsets
) {
    Owned<rd_kafka_topic_partition_list_t> list{
        rd_kafka_topic_partition_list_new(static_cast<int>(offsets.size()))
    };
    for (const auto& [lane, offset] : offsets) {
        rd_kafka_topic_partition_list_add(
            list.get(), topic.c_str(), static_cast<std::int32_t>(lane)
        )
            ->offset = static_cast<std::int64_t>(offset);
    }
    return list;
}

}  // namespace

std::optional<std::string_view> Delivered::header(const std::string& name) const {
    rd_kafka_headers_t* headers = nullptr;
    const void* value = nullptr;
    std::size_t size = 0;
    if (rd_kafka_message_headers(message_, &headers) != RD_KAFKA_RESP_ERR_NO_ERROR ||
        rd_kafka_header_get_last(headers, name.c_str(), &value, &size) !=
            RD_KAFKA_RESP_ERR_NO_ERROR) {
        return std::nullopt;
    }
    return std::string_view{static_cast<const char*>(value), size};
}

std::optional<Instant> Delivered::time() const {
    rd_kafka_timestamp_type_t type{};
    const std::int64_t milliseconds = rd_kafka_message_timestamp(message_, &type);
    return type == RD_KAFKA_TIMESTAMP_NOT_AVAILABLE
               ? std::nullopt
               : std::optional{Instant{std::chrono::milliseconds{milliseconds}}};
}

Result<std::unique_ptr<LaneConsumer>> LaneConsumer::join(
    const ClusterOptions& cluster,
    const std::string& topic,
    const ConsumerOptions& options,
    Handlers handlers
) {
    std::unique_ptr<LaneConsumer> consumer{new LaneConsumer{topic, std::move(handlers)}};
    TRY(Owned<rd_kafka_conf_t> configuration, configure(cluster, consumer_settings(options)));
    rd_kafka_conf_set_opaque(configuration.get(), consumer.get());
    rd_kafka_conf_set_rebalance_cb(configuration.get(), rebalance);
    TRY(consumer->client_, start_client(RD_KAFKA_CONSUMER, std::move(configuration)));
    rd_kafka_poll_set_consumer(consumer->client_.get());
    if (options.all_lanes > 0) {
        std::vector<std::uint32_t> lanes(options.all_lanes);
        std::iota(lanes.begin(), lanes.end(), 0);
        consumer->assign(*list_of(topic, lanes));
        return consumer;
    }
    const Owned<rd_kafka_topic_partition_list_t> topics{rd_kafka_topic_partition_list_new(1)};
    rd_kafka_topic_partition_list_add(topics.get(), topic.c_str(), RD_KAFKA_PARTITION_UA);
    TRY_VOID(outcome_of(
        rd_kafka_subscribe(consumer->client_.get(), topics.get()),
        fmt::format("join group {}", options.group)
    ));
    return consumer;
}

LaneConsumer::LaneConsumer(std::string topic, Handlers handlers)
    : topic_{std::move(topic)}, handlers_{std::move(handlers)} {}

LaneConsumer::~LaneConsumer() {
    close();
}

void LaneConsumer::close() {
    current_.reset();
    if (client_) {
        rd_kafka_consumer_close(client_.get());
        client_.reset();
    }
}

Result<std::optional<Delivered>> LaneConsumer::poll(std::chrono::milliseconds patience) {
    CHECK(client_, "a consumer that was closed is polled");
    current_.reset(rd_kafka_consumer_poll(client_.get(), static_cast<int>(patience.count())));
    if (failure_) {
        return std::unexpected(*failure_);
    }
    if (!current_) {
        return std::nullopt;
    }
    if (current_->err == RD_KAFKA_RESP_ERR_NO_ERROR) {
        return Delivered{*current_};
    }
    const Error error = error_of(
        current_->err,
        fmt::format("read lane {} of {}", current_->partition, topic_),
        rd_kafka_message_errstr(current_.get())
    );
    const bool ended =
        rd_kafka_fatal_error(client_.get(), nullptr, 0) != RD_KAFKA_RESP_ERR_NO_ERROR;
    if (!ended && error.kind != ErrorKind::corrupt && error.kind != ErrorKind::invalid_input) {
        // It mends by itself: a broker is away, the group forms anew.
        troubles_.say(LogLevel::warning, error.message);
        return std::nullopt;
    }
    failure_ = error;
    return std::unexpected(error);
}

Result<void> LaneConsumer::pause(std::span<const std::uint32_t> lanes) {
    return outcome_of(
        rd_kafka_pause_partitions(client_.get(), list_of(topic_, lanes).get()), "pause lanes"
    );
}

Result<void> LaneConsumer::resume(std::span<const std::uint32_t> lanes) {
    return outcome_of(
        rd_kafka_resume_partitions(client_.get(), list_of(topic_, lanes).get()), "resume lanes"
    );
}

Result<std::vector<std::uint64_t>> LaneConsumer::ends(
    std::span<const std::uint32_t> lanes, std::chrono::milliseconds patience
) {
    return offsets_at(*client_, topic_, lanes, Side::end, patience);
}

Result<std::vector<std::uint64_t>> LaneConsumer::begins(
    std::span<const std::uint32_t> lanes, std::chrono::milliseconds patience
) {
    return offsets_at(*client_, topic_, lanes, Side::begin, patience);
}

Result<std::vector<std::optional<std::uint64_t>>> LaneConsumer::committed(
    std::span<const std::uint32_t> lanes, std::chrono::milliseconds patience
) {
    using Offsets = std::vector<std::optional<std::uint64_t>>;
    return retry(patience, [&](int milliseconds) -> Result<Offsets> {
        const auto list = list_of(topic_, lanes);
        TRY_VOID(outcome_of(
            rd_kafka_committed(client_.get(), list.get(), milliseconds), "ask what was committed"
        ));
        Offsets offsets;
        for (int at = 0; at < list->cnt; ++at) {
            const rd_kafka_topic_partition_t& found = list->elems[at];
            TRY_VOID(outcome_of(found.err, "ask what was committed"));
            offsets.push_back(
                found.offset < 0 ? std::nullopt
                                 : std::optional{static_cast<std::uint64_t>(found.offset)}
            );
        }
        return offsets;
    });
}

Result<void> LaneConsumer::seek(std::uint32_t lane, std::uint64_t offset) {
    const auto list = list_of(topic_, std::span{&lane, 1});
    list->elems[0].offset = static_cast<std::int64_t>(offset);
    constexpr int patience_ms = 5'000;
    const Owned<rd_kafka_error_t> error{
        rd_kafka_seek_partitions(client_.get(), list.get(), patience_ms)
    };
    if (error) {
        return outcome_of(rd_kafka_error_code(error.get()), "seek");
    }
    return outcome_of(list->elems[0].err, "seek");
}

void LaneConsumer::commit(const std::map<std::uint32_t, std::uint64_t>& offsets) {
    const auto list = offsets_of(topic_, offsets);
    constexpr int do_not_wait = 1;
    if (const auto code = rd_kafka_commit(client_.get(), list.get(), do_not_wait);
        code != RD_KAFKA_RESP_ERR_NO_ERROR) {
        log(LogLevel::debug, "{}", error_of(code, "commit").message);
    }
}

Result<void> LaneConsumer::commit_now(const std::map<std::uint32_t, std::uint64_t>& offsets) {
    if (offsets.empty()) {
        return {};
    }
    const auto list = offsets_of(topic_, offsets);
    constexpr int wait = 0;
    return outcome_of(rd_kafka_commit(client_.get(), list.get(), wait), "commit");
}

bool LaneConsumer::lost() const {
    return rd_kafka_assignment_lost(client_.get()) != 0;
}

void LaneConsumer::rebalance(
    rd_kafka_t* client,
    rd_kafka_resp_err_t code,
    rd_kafka_topic_partition_list_t* partitions,
    void* self
) {
    auto& consumer = *static_cast<LaneConsumer*>(self);
    if (code == RD_KAFKA_RESP_ERR__ASSIGN_PARTITIONS) {
        consumer.assign(*partitions);
        if (!consumer.failure_) {
            log(LogLevel::info,
                "kafka: {}: ours are now {}",
                consumer.topic_,
                lanes_text(lanes_of(*partitions)));
        }
        return;
    }
    consumer.revoke(*partitions);
    rd_kafka_assign(client, nullptr);
}

void LaneConsumer::assign(rd_kafka_topic_partition_list_t& partitions) {
    const std::vector<std::uint32_t> lanes = lanes_of(partitions);
    auto offsets = handlers_.assigned(lanes);
    if (!offsets) {
        failure_ = with_context(std::move(offsets).error(), "kafka: take over lanes");
        rd_kafka_assign(client_.get(), nullptr);
        return;
    }
    CHECK(offsets->size() == lanes.size(), "an offset for each lane", offsets->size());
    for (std::size_t at = 0; at < lanes.size(); ++at) {
        partitions.elems[at].offset = static_cast<std::int64_t>((*offsets)[at]);
    }
    if (const auto code = rd_kafka_assign(client_.get(), &partitions);
        code != RD_KAFKA_RESP_ERR_NO_ERROR) {
        failure_ = error_of(code, "take over lanes");
    }
}

void LaneConsumer::revoke(const rd_kafka_topic_partition_list_t& partitions) {
    const bool lost = rd_kafka_assignment_lost(client_.get()) != 0;
    const std::vector<std::uint32_t> lanes = lanes_of(partitions);
    if (lost) {
        log(LogLevel::warning,
            "kafka: {}: others may have {} already: this process was silent for too long",
            topic_,
            lanes_text(lanes));
    }
    handlers_.revoked(lanes, lost ? Leave::lost : Leave::orderly);
}

}  // namespace footfall::journal_kafka
