#include "journal_kafka/topic.h"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <span>

namespace footfall::journal_kafka {
namespace {

/// The topic's partitions that have a leader, and how many there are.
struct Partitions {
    std::uint32_t led = 0;
    std::uint32_t all = 0;
};

/// Absent: there is no such topic.
Result<std::optional<Partitions>> partitions_of(
    rd_kafka_t& client, const std::string& name, int milliseconds
) {
    const Owned<rd_kafka_topic_t> topic{rd_kafka_topic_new(&client, name.c_str(), nullptr)};
    const rd_kafka_metadata_t* answer = nullptr;
    const auto asked = rd_kafka_metadata(&client, 0, topic.get(), &answer, milliseconds);
    TRY_VOID(outcome_of(asked, fmt::format("describe topic {}", name)));
    const std::unique_ptr<const rd_kafka_metadata_t, Free> metadata{answer};
    if (metadata->topic_cnt == 0 ||
        metadata->topics[0].err == RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART) {
        return std::nullopt;
    }
    const rd_kafka_metadata_topic_t& found = metadata->topics[0];
    TRY_VOID(outcome_of(found.err, fmt::format("describe topic {}", name)));
    Partitions partitions{.all = static_cast<std::uint32_t>(found.partition_cnt)};
    for (int at = 0; at < found.partition_cnt; ++at) {
        partitions.led += found.partitions[at].leader >= 0 ? 1 : 0;
    }
    return partitions;
}

Result<Owned<rd_kafka_NewTopic_t>> describe(const TopicOptions& wanted) {
    std::array<char, 256> why{};
    Owned<rd_kafka_NewTopic_t> topic{rd_kafka_NewTopic_new(
        wanted.name.c_str(), static_cast<int>(wanted.lanes), wanted.replicas, why.data(), why.size()
    )};
    if (!topic) {
        return fail(
            ErrorKind::invalid_input, fmt::format("kafka: topic {}: {}", wanted.name, why.data())
        );
    }
    const Settings settings{
        {"cleanup.policy", "delete"},
        {"retention.ms", fmt::format("{}", wanted.kept.count())},
        {"retention.bytes", "-1"},
        {"min.insync.replicas", fmt::format("{}", wanted.in_sync)},
        {"unclean.leader.election.enable", "false"},
        {"max.message.bytes", fmt::format("{}", message_bytes_max)},
    };
    for (const auto& [name, value] : settings) {
        TRY_VOID(outcome_of(
            rd_kafka_NewTopic_set_config(topic.get(), name.c_str(), value.c_str()), "describe topic"
        ));
    }
    return topic;
}

/// Waits for the answer to an administrator's request.
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
    rd_kafka_AdminOptions_set_operation_timeout(
        options.get(), milliseconds, why.data(), why.size()
    );
    return options;
}

Result<void> create(
    rd_kafka_t& client, const TopicOptions& wanted, std::chrono::milliseconds patience
) {
    const std::string what = fmt::format("create topic {}", wanted.name);
    TRY(const auto topic, describe(wanted));
    const auto options = within(client, RD_KAFKA_ADMIN_OP_CREATETOPICS, patience);
    const Owned<rd_kafka_queue_t> answers{rd_kafka_queue_new(&client)};
    rd_kafka_NewTopic_t* only = topic.get();
    rd_kafka_CreateTopics(&client, &only, 1, options.get(), answers.get());
    TRY(const auto event, wait_for_answer(*answers, what, patience));
    std::size_t count = 0;
    const rd_kafka_topic_result_t** const results = rd_kafka_CreateTopics_result_topics(
        rd_kafka_event_CreateTopics_result(event.get()), &count
    );
    for (const rd_kafka_topic_result_t* const result : std::span{results, count}) {
        const rd_kafka_resp_err_t code = rd_kafka_topic_result_error(result);
        const char* const detail = rd_kafka_topic_result_error_string(result);
        // Another process was first: it meant the same topic.
        if (code != RD_KAFKA_RESP_ERR_NO_ERROR && code != RD_KAFKA_RESP_ERR_TOPIC_ALREADY_EXISTS) {
            return std::unexpected(error_of(code, what, detail == nullptr ? "" : detail));
        }
    }
    return {};
}

}  // namespace

Result<void> ensure_topic(
    rd_kafka_t& client, const TopicOptions& topic, std::chrono::milliseconds patience
) {
    bool created = false;
    return retry(patience, [&](int milliseconds) -> Result<void> {
        TRY(const auto found, partitions_of(client, topic.name, milliseconds));
        if (!found && !created) {
            TRY_VOID(create(client, topic, std::chrono::milliseconds{milliseconds}));
            created = true;
        }
        if (found && found->all != topic.lanes) {
            return fail(
                ErrorKind::invalid_input,
                fmt::format(
                    "kafka: topic {} has {} partitions, the configuration says {}; a topic's "
                    "partitions never change: name another topic, or that number",
                    topic.name,
                    found->all,
                    topic.lanes
                )
            );
        }
        if (!found || found->led < found->all) {
            return fail(
                ErrorKind::unavailable,
                fmt::format("kafka: topic {}: not all partitions have a leader", topic.name)
            );
        }
        return {};
    });
}

Result<Extent> extent_of(
    rd_kafka_t& client,
    const std::string& topic,
    std::uint32_t lane,
    std::chrono::milliseconds patience
) {
    return retry(patience, [&](int milliseconds) -> Result<Extent> {
        std::int64_t low = 0;
        std::int64_t high = 0;
        TRY_VOID(outcome_of(
            rd_kafka_query_watermark_offsets(
                &client, topic.c_str(), static_cast<int>(lane), &low, &high, milliseconds
            ),
            fmt::format("ask for the end of lane {} of {}", lane, topic)
        ));
        return Extent{
            .begin = static_cast<std::uint64_t>(low), .end = static_cast<std::uint64_t>(high)
        };
    });
}

Result<void> delete_records(
    rd_kafka_t& client,
    const std::string& topic,
    std::uint32_t lane,
    std::uint64_t offset,
    std::chrono::milliseconds patience
) {
    const std::string what = fmt::format("delete lane {} of {} before {}", lane, topic, offset);
    const Owned<rd_kafka_topic_partition_list_t> before{rd_kafka_topic_partition_list_new(1)};
    const auto partition = static_cast<std::int32_t>(lane);
    rd_kafka_topic_partition_list_add(before.get(), topic.c_str(), partition)->offset =
        static_cast<std::int64_t>(offset);
    const Owned<rd_kafka_DeleteRecords_t> request{rd_kafka_DeleteRecords_new(before.get())};
    const auto options = within(client, RD_KAFKA_ADMIN_OP_DELETERECORDS, patience);
    const Owned<rd_kafka_queue_t> answers{rd_kafka_queue_new(&client)};
    rd_kafka_DeleteRecords_t* only = request.get();
    rd_kafka_DeleteRecords(&client, &only, 1, options.get(), answers.get());
    TRY(const auto event, wait_for_answer(*answers, what, patience));
    const rd_kafka_topic_partition_list_t* const results =
        rd_kafka_DeleteRecords_result_offsets(rd_kafka_event_DeleteRecords_result(event.get()));
    return outcome_of(results->elems[0].err, what);
}

Result<std::string> cluster_id(rd_kafka_t& client, std::chrono::milliseconds patience) {
    char* const id = rd_kafka_clusterid(&client, static_cast<int>(patience.count()));
    if (id == nullptr) {
        return fail(ErrorKind::unavailable, "kafka: no broker answers; check the list of brokers");
    }
    std::string copy{id};
    rd_kafka_mem_free(&client, id);
    return copy;
}

}  // namespace footfall::journal_kafka
