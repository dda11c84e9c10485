#include "journal_kafka/client.h"

#include "foundation/log.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <thread>

namespace footfall::journal_kafka {
namespace {

void write_log(const rd_kafka_t* /*client*/, int level, const char* facility, const char* text) {
    // By syslog's numbers. It mends by itself what it calls an error (3): a broker that is away.
    // What it thinks of our settings stands in docs/decisions/0028-kafka.md. Commits are for those
    // who watch the lag: while a group forms anew, none is taken.
    const std::string_view what{facility};
    const bool telling = level <= 4 && what != "CONFWARN" && what != "COMMITFAIL";
    const LogLevel ours = telling ? LogLevel::warning : LogLevel::debug;
    log(ours, "kafka: {}: {}", what, text);
}

ErrorKind kind_of(rd_kafka_resp_err_t code) {
    switch (code) {
        case RD_KAFKA_RESP_ERR__TIMED_OUT:
        case RD_KAFKA_RESP_ERR__TIMED_OUT_QUEUE:
        case RD_KAFKA_RESP_ERR__MSG_TIMED_OUT:
        case RD_KAFKA_RESP_ERR_REQUEST_TIMED_OUT:
            return ErrorKind::timed_out;
        case RD_KAFKA_RESP_ERR__QUEUE_FULL:
            return ErrorKind::overloaded;
        case RD_KAFKA_RESP_ERR__UNKNOWN_TOPIC:
        case RD_KAFKA_RESP_ERR__UNKNOWN_PARTITION:
        case RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART:
            return ErrorKind::not_found;
        case RD_KAFKA_RESP_ERR__AUTO_OFFSET_RESET:
        case RD_KAFKA_RESP_ERR_OFFSET_OUT_OF_RANGE:
        case RD_KAFKA_RESP_ERR__BAD_MSG:
        case RD_KAFKA_RESP_ERR__BAD_COMPRESSION:
            return ErrorKind::corrupt;
        case RD_KAFKA_RESP_ERR__INVALID_ARG:
        case RD_KAFKA_RESP_ERR_INVALID_CONFIG:
        case RD_KAFKA_RESP_ERR_INVALID_PARTITIONS:
        case RD_KAFKA_RESP_ERR_INVALID_REPLICATION_FACTOR:
        case RD_KAFKA_RESP_ERR_TOPIC_EXCEPTION:
        case RD_KAFKA_RESP_ERR_MSG_SIZE_TOO_LARGE:
        case RD_KAFKA_RESP_ERR_TOPIC_AUTHORIZATION_FAILED:
        case RD_KAFKA_RESP_ERR_GROUP_AUTHORIZATION_FAILED:
        case RD_KAFKA_RESP_ERR_CLUSTER_AUTHORIZATION_FAILED:
            return ErrorKind::invalid_input;
        default:
            return ErrorKind::unavailable;
    }
}

}  // namespace

Error error_of(rd_kafka_resp_err_t code, std::string_view what, std::string_view detail) {
    const std::string_view text = detail.empty() ? rd_kafka_err2str(code) : detail;
    return {
        .kind = kind_of(code),
        .message = fmt::format("kafka: {}: {} ({})", what, text, rd_kafka_err2name(code))
    };
}

Result<void> outcome_of(rd_kafka_resp_err_t code, std::string_view what) {
    if (code != RD_KAFKA_RESP_ERR_NO_ERROR) {
        return std::unexpected(error_of(code, what));
    }
    return {};
}

Result<Owned<rd_kafka_conf_t>> configure(const ClusterOptions& cluster, const Settings& settings) {
    Owned<rd_kafka_conf_t> configuration{rd_kafka_conf_new()};
    rd_kafka_conf_set_log_cb(configuration.get(), write_log);
    Settings all{
        {"bootstrap.servers", cluster.brokers},
        {"client.id", "footfall"},
        {"socket.keepalive.enable", "true"},
        // A broker that hangs is found out soon, and one that is back is used soon.
        {"socket.timeout.ms", "12000"},
        {"reconnect.backoff.max.ms", "1000"},
        {"log.connection.close", "false"},
    };
    all.insert(all.end(), settings.begin(), settings.end());
    all.insert(all.end(), cluster.security.begin(), cluster.security.end());
    std::array<char, 512> why{};
    for (const auto& [name, value] : all) {
        const rd_kafka_conf_res_t set = rd_kafka_conf_set(
            configuration.get(), name.c_str(), value.c_str(), why.data(), why.size()
        );
        if (set != RD_KAFKA_CONF_OK) {
            return fail(ErrorKind::invalid_input, fmt::format("kafka: {}", why.data()));
        }
    }
    return configuration;
}

Result<Owned<rd_kafka_t>> start_client(rd_kafka_type_t type, Owned<rd_kafka_conf_t> configuration) {
    std::array<char, 512> why{};
    rd_kafka_t* const client = rd_kafka_new(type, configuration.get(), why.data(), why.size());
    if (client == nullptr) {
        return fail(ErrorKind::invalid_input, fmt::format("kafka: {}", why.data()));
    }
    // NOLINTNEXTLINE(bugprone-unused-return-value): the client's now
    static_cast<void>(configuration.release());
    return Owned<rd_kafka_t>{client};
}

Owned<rd_kafka_topic_partition_list_t> list_of(
    const std::string& topic, std::span<const std::uint32_t> lanes
) {
    Owned<rd_kafka_topic_partition_list_t> list{
        rd_kafka_topic_partition_list_new(static_cast<int>(lanes.size()))
    };
    for (const std::uint32_t lane : lanes) {
        const auto partition = static_cast<std::int32_t>(lane);
        rd_kafka_topic_partition_list_add(list.get(), topic.c_str(), partition);
    }
    return list;
}

Result<Owned<rd_kafka_event_t>> wait_for_answer(
    rd_kafka_queue_t& answers, const std::string& what, std::chrono::milliseconds patience
) {
    Owned<rd_kafka_event_t> event{
        rd_kafka_queue_poll(&answers, static_cast<int>(patience.count()) + 1000)
    };
    if (!event) {
        return fail(ErrorKind::timed_out, fmt::format("kafka: {}: no answer", what));
    }
    if (const auto code = rd_kafka_event_error(event.get()); code != RD_KAFKA_RESP_ERR_NO_ERROR) {
        return std::unexpected(error_of(code, what, rd_kafka_event_error_string(event.get())));
    }
    return event;
}

Owned<rd_kafka_AdminOptions_t> within(
    rd_kafka_t& client, rd_kafka_admin_op_t operation, std::chrono::milliseconds patience
) {
    Owned<rd_kafka_AdminOptions_t> options{rd_kafka_AdminOptions_new(&client, operation)};
    const int milliseconds = static_cast<int>(patience.count());
    std::array<char, 256> why{};
    rd_kafka_AdminOptions_set_request_timeout(options.get(), milliseconds, why.data(), why.size());
    if (operation != RD_KAFKA_ADMIN_OP_DESCRIBECONFIGS) {
        rd_kafka_AdminOptions_set_operation_timeout(
            options.get(), milliseconds, why.data(), why.size()
        );
    }
    return options;
}

int milliseconds_until(std::chrono::steady_clock::time_point deadline) {
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    return static_cast<int>(std::max<std::chrono::milliseconds::rep>(left.count(), 1));
}

void pause_before_retry() {
    std::this_thread::sleep_for(  // tidy-allow(sleep): another program's state changes unheard
        std::chrono::milliseconds{50}
    );
}

}  // namespace footfall::journal_kafka
