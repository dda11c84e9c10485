#pragma once

#include "foundation/result.h"

#include <chrono>
#include <cstdint>
#include <librdkafka/rdkafka.h>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace footfall::journal_kafka {

/// Names and values of librdkafka's configuration.
using Settings = std::vector<std::pair<std::string, std::string>>;

/// How the brokers are reached.
struct ClusterOptions {
    std::string brokers;     ///< ADDRESS:PORT, separated by commas; some of them are enough.
    Settings security = {};  ///< What else librdkafka needs to be let in: security.protocol, ...
    /// How long a call that waits (open, read, retain, recover) waits for the brokers.
    std::chrono::milliseconds patience{15'000};
};

/// Gives back what librdkafka made.
struct Free {
    void operator()(rd_kafka_t* client) const { rd_kafka_destroy(client); }

    void operator()(rd_kafka_conf_t* configuration) const { rd_kafka_conf_destroy(configuration); }

    void operator()(rd_kafka_topic_t* topic) const { rd_kafka_topic_destroy(topic); }

    void operator()(rd_kafka_queue_t* queue) const { rd_kafka_queue_destroy(queue); }

    void operator()(rd_kafka_event_t* event) const { rd_kafka_event_destroy(event); }

    void operator()(rd_kafka_message_t* message) const { rd_kafka_message_destroy(message); }

    void operator()(rd_kafka_error_t* error) const { rd_kafka_error_destroy(error); }

    void operator()(rd_kafka_headers_t* headers) const { rd_kafka_headers_destroy(headers); }

    void operator()(rd_kafka_topic_partition_list_t* list) const {
        rd_kafka_topic_partition_list_destroy(list);
    }

    void operator()(const rd_kafka_metadata_t* metadata) const {
        rd_kafka_metadata_destroy(metadata);
    }

    void operator()(rd_kafka_NewTopic_t* topic) const { rd_kafka_NewTopic_destroy(topic); }

    void operator()(rd_kafka_DeleteRecords_t* records) const {
        rd_kafka_DeleteRecords_destroy(records);
    }

    void operator()(rd_kafka_ConfigResource_t* resource) const {
        rd_kafka_ConfigResource_destroy(resource);
    }

    void operator()(rd_kafka_AdminOptions_t* options) const {
        rd_kafka_AdminOptions_destroy(options);
    }
};

template <class T>
using Owned = std::unique_ptr<T, Free>;

/// The failure that librdkafka or a broker names, in the words of Result. `what` says what was
/// tried.
Error error_of(rd_kafka_resp_err_t code, std::string_view what, std::string_view detail = {});

/// Success, or that failure.
Result<void> outcome_of(rd_kafka_resp_err_t code, std::string_view what);

/// A configuration for these brokers; what librdkafka has to say goes to our log. `invalid_input`:
/// a name or value it does not know.
Result<Owned<rd_kafka_conf_t>> configure(const ClusterOptions& cluster, const Settings& settings);

/// Starts a client, with threads of its own. Asks nothing of the brokers yet.
Result<Owned<rd_kafka_t>> start_client(rd_kafka_type_t type, Owned<rd_kafka_conf_t> configuration);

/// These partitions of a topic, without offsets.
Owned<rd_kafka_topic_partition_list_t> list_of(
    const std::string& topic, std::span<const std::uint32_t> lanes
);

/// Waits for the answer to an administrator's request; `what` says what was asked.
Result<Owned<rd_kafka_event_t>> wait_for_answer(
    rd_kafka_queue_t& answers, const std::string& what, std::chrono::milliseconds patience
);

/// The options of such a request: how long the brokers have for it.
Owned<rd_kafka_AdminOptions_t> within(
    rd_kafka_t& client, rd_kafka_admin_op_t operation, std::chrono::milliseconds patience
);

/// How much is left until a deadline, for librdkafka.
int milliseconds_until(std::chrono::steady_clock::time_point deadline);

/// A moment between two attempts.
void pause_before_retry();

/// Calls `attempt` until it succeeds, fails for a reason that does not pass by itself, or patience
/// is at its end; then it answers what the brokers said last, not that the last attempt was short.
/// What is not found may be found yet: not all brokers hear of a topic at once.
template <class Attempt>
auto retry(std::chrono::milliseconds patience, Attempt attempt) {
    const auto deadline = std::chrono::steady_clock::now() + patience;
    std::optional<Error> said;
    for (;;) {
        auto result = attempt(milliseconds_until(deadline));
        const bool passes = !result && (result.error().kind == ErrorKind::unavailable ||
                                        result.error().kind == ErrorKind::timed_out ||
                                        result.error().kind == ErrorKind::not_found);
        if (passes && result.error().kind != ErrorKind::timed_out) {
            said = result.error();
        }
        if (!passes || std::chrono::steady_clock::now() >= deadline) {
            return passes && said ? decltype(result){std::unexpected(*said)} : std::move(result);
        }
        pause_before_retry();
    }
}

}  // namespace footfall::journal_kafka
