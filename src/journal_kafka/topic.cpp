#include "journal_kafka/topic.h"

#include "foundation/siphash.h"
#include "journal_kafka/topic_settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace footfall::journal_kafka {
namespace {

/// Not a secret: it only has to stay.
constexpr SipKey id_key{.k0 = 0x666f'6f74'6661'6c6c, .k1 = 0x6b61'666b'615f'6c6f};

/// Of an array, as librdkafka counts.
std::size_t count_of(int count) {
    return static_cast<std::size_t>(count);
}

/// What a broker says of a topic.
struct Description {
    bool exists = false;
    std::uint32_t partitions = 0;
    std::uint32_t replicas = 0;        ///< Of the partition that has the fewest.
    bool led = true;                   ///< Each partition has a leader.
    std::vector<std::string> brokers;  ///< ADDRESS:PORT of those alive.
};

Result<Description> ask_for_topic(rd_kafka_t& client, const std::string& name, int milliseconds) {
    const std::string what = fmt::format("describe topic {}", name);
    const Owned<rd_kafka_topic_t> topic{rd_kafka_topic_new(&client, name.c_str(), nullptr)};
    const rd_kafka_metadata_t* answer = nullptr;
    const auto asked = rd_kafka_metadata(&client, 0, topic.get(), &answer, milliseconds);
    TRY_VOID(outcome_of(asked, what));
    const std::unique_ptr<const rd_kafka_metadata_t, Free> metadata{answer};
    Description description;
    for (const auto& broker : std::span{metadata->brokers, count_of(metadata->broker_cnt)}) {
        description.brokers.push_back(fmt::format("{}:{}", broker.host, broker.port));
    }
    if (metadata->topic_cnt == 0 ||
        metadata->topics[0].err == RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART) {
        return description;
    }
    const rd_kafka_metadata_topic_t& found = metadata->topics[0];
    TRY_VOID(outcome_of(found.err, what));
    description.exists = true;
    for (const auto& partition : std::span{found.partitions, count_of(found.partition_cnt)}) {
        const auto replicas = static_cast<std::uint32_t>(partition.replica_cnt);
        description.replicas =
            description.partitions == 0 ? replicas : std::min(description.replicas, replicas);
        ++description.partitions;
        description.led = description.led && partition.leader >= 0;
    }
    return description;
}

/// Success when the topic has the right partitions, and they can be written.
Result<Description> check_topic(rd_kafka_t& client, const TopicOptions& wanted, int milliseconds) {
    TRY(Description found, ask_for_topic(client, wanted.name, milliseconds));
    if (!found.exists) {
        return fail(ErrorKind::not_found, fmt::format("kafka: there is no topic {}", wanted.name));
    }
    if (found.partitions != wanted.lanes && !wanted.of_others) {
        return fail(
            ErrorKind::invalid_input,
            fmt::format(
                "kafka: topic {} has {} partitions, the configuration says {}; a topic's "
                "partitions never change: name another topic, or that number",
                wanted.name,
                found.partitions,
                wanted.lanes
            )
        );
    }
    if (!found.led) {
        return fail(
            ErrorKind::unavailable,
            fmt::format("kafka: topic {}: not all partitions have a leader", wanted.name)
        );
    }
    return found;
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
    for (const auto& [name, value] : settings_of(wanted)) {
        TRY_VOID(outcome_of(
            rd_kafka_NewTopic_set_config(topic.get(), name.c_str(), value.c_str()), "describe topic"
        ));
    }
    return topic;
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
    rd_kafka_t& client, const ClusterOptions& cluster, const TopicOptions& topic
) {
    bool created = false;
    const auto found = retry(cluster.patience, [&](int milliseconds) -> Result<Description> {
        Result<Description> checked = check_topic(client, topic, milliseconds);
        if (!checked && checked.error().kind == ErrorKind::not_found && !created) {
            TRY_VOID(create(client, topic, std::chrono::milliseconds{milliseconds}));
            created = true;
        }
        return checked;
    });
    if (!found) {
        return std::unexpected(found.error());
    }
    if (!created) {
        TRY_VOID(check_settings(client, topic, found->replicas, cluster.patience));
    }
    for (const std::string& broker : found->brokers) {
        // A client that has met one broker only asks that one.
        const ClusterOptions only{.brokers = broker, .security = cluster.security};
        TRY(Owned<rd_kafka_conf_t> configuration, configure(only, {}));
        TRY(const auto asker, start_client(RD_KAFKA_PRODUCER, std::move(configuration)));
        const auto known = retry(cluster.patience, [&](int milliseconds) {
            return check_topic(*asker, topic, milliseconds);
        });
        TRY_VOID(known);
    }
    return {};
}

Result<void> find_topic(
    rd_kafka_t& client, const TopicOptions& topic, std::chrono::milliseconds patience
) {
    TRY_VOID(retry(patience, [&](int milliseconds) {
        return check_topic(client, topic, milliseconds);
    }));
    return {};
}

Result<bool> is_topic(
    rd_kafka_t& client, const std::string& name, std::chrono::milliseconds patience
) {
    TRY(const Description found, retry(patience, [&](int milliseconds) {
            return ask_for_topic(client, name, milliseconds);
        }));
    return found.exists;
}

std::uint32_t lane_of_key(std::string_view key, std::uint32_t lanes) {
    return static_cast<std::uint32_t>(rd_kafka_msg_partitioner_murmur2(
        nullptr, key.data(), key.size(), static_cast<std::int32_t>(lanes), nullptr, nullptr
    ));
}

Result<std::vector<std::uint64_t>> offsets_at(
    rd_kafka_t& client,
    const std::string& topic,
    std::span<const std::uint32_t> lanes,
    Side side,
    std::chrono::milliseconds patience
) {
    // Not rd_kafka_query_watermark_offsets(), which waits for a broker that hangs for ever.
    const std::int64_t place =
        side == Side::begin ? RD_KAFKA_OFFSET_BEGINNING : RD_KAFKA_OFFSET_END;
    const std::string what =
        fmt::format("ask for the {} of {}", side == Side::begin ? "begin" : "end", topic);
    return retry(patience, [&](int milliseconds) -> Result<std::vector<std::uint64_t>> {
        const auto list = list_of(topic, lanes);
        for (int at = 0; at < list->cnt; ++at) {
            list->elems[at].offset = place;
        }
        TRY_VOID(outcome_of(rd_kafka_offsets_for_times(&client, list.get(), milliseconds), what));
        std::vector<std::uint64_t> offsets;
        for (int at = 0; at < list->cnt; ++at) {
            const rd_kafka_topic_partition_t& found = list->elems[at];
            TRY_VOID(outcome_of(found.err, fmt::format("{}, lane {}", what, found.partition)));
            offsets.push_back(static_cast<std::uint64_t>(found.offset));
        }
        return offsets;
    });
}

Result<std::uint64_t> offset_at(
    rd_kafka_t& client,
    const std::string& topic,
    std::uint32_t lane,
    Side side,
    std::chrono::milliseconds patience
) {
    TRY(const auto offsets, offsets_at(client, topic, std::span{&lane, 1}, side, patience));
    return offsets.front();
}

Result<void> delete_records(
    rd_kafka_t& client,
    const std::string& topic,
    std::uint32_t lane,
    std::uint64_t offset,
    std::chrono::milliseconds patience
) {
    const std::string what = fmt::format("delete lane {} of {} before {}", lane, topic, offset);
    const auto before = list_of(topic, std::span{&lane, 1});
    before->elems[0].offset = static_cast<std::int64_t>(offset);
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
    char* const answered = rd_kafka_clusterid(&client, static_cast<int>(patience.count()));
    if (answered == nullptr) {
        return fail(ErrorKind::unavailable, "kafka: no broker answers; check the list of brokers");
    }
    std::string cluster{answered};
    rd_kafka_mem_free(&client, answered);
    return cluster;
}

Result<journal::LogId> log_id(
    rd_kafka_t& client, const std::string& topic, std::chrono::milliseconds patience
) {
    TRY(const std::string cluster, cluster_id(client, patience));
    return siphash13(id_key, fmt::format("{}/{}", cluster, topic));
}

}  // namespace footfall::journal_kafka
