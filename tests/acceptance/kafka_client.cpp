#include "kafka_client.h"

#include "test_support/eventually.h"
#include "test_support/must.h"

#include <fmt/format.h>

#include <array>
#include <cstdlib>

namespace footfall {
namespace {

constexpr int patience_ms = 20'000;

rd_kafka_t* start(
    rd_kafka_type_t type, const std::vector<std::pair<std::string, std::string>>& settings
) {
    const char* const brokers = std::getenv("FOOTFALL_TEST_KAFKA");
    if (brokers == nullptr) {
        test_support::give_up("FOOTFALL_TEST_KAFKA does not say where brokers are");
    }
    std::array<char, 256> why{};
    rd_kafka_conf_t* const configuration = rd_kafka_conf_new();
    const auto set = [&](const std::string& name, const std::string& value) {
        if (rd_kafka_conf_set(configuration, name.c_str(), value.c_str(), why.data(), why.size()) !=
            RD_KAFKA_CONF_OK) {
            test_support::give_up(why.data());
        }
    };
    set("bootstrap.servers", brokers);
    for (const auto& [name, value] : settings) {
        set(name, value);
    }
    rd_kafka_t* const client = rd_kafka_new(type, configuration, why.data(), why.size());
    if (client == nullptr) {
        test_support::give_up(why.data());
    }
    return client;
}

PlainRecord record_of(const rd_kafka_message_t& message) {
    PlainRecord record{
        .partition = message.partition,
        .offset = static_cast<long>(message.offset),
        .key = {static_cast<const char*>(message.key), message.key_len},
        .value = {static_cast<const char*>(message.payload), message.len},
        .headers = {}
    };
    rd_kafka_headers_t* headers = nullptr;
    if (rd_kafka_message_headers(&message, &headers) == RD_KAFKA_RESP_ERR_NO_ERROR) {
        const char* name = nullptr;
        const void* value = nullptr;
        std::size_t size = 0;
        for (std::size_t at = 0; rd_kafka_header_get_all(headers, at, &name, &value, &size) ==
                                 RD_KAFKA_RESP_ERR_NO_ERROR;
             ++at) {
            record.headers[name] = {static_cast<const char*>(value), size};
        }
    }
    return record;
}

/// Gives up unless the brokers did what was asked of them.
void expect_done(rd_kafka_queue_t* answers) {
    rd_kafka_event_t* const event = rd_kafka_queue_poll(answers, patience_ms);
    if (event == nullptr || rd_kafka_event_error(event) != RD_KAFKA_RESP_ERR_NO_ERROR) {
        test_support::give_up("the brokers did not change topics");
    }
    rd_kafka_event_destroy(event);
    rd_kafka_queue_destroy(answers);
}

bool knows_topic(rd_kafka_t* client, const std::string& topic) {
    rd_kafka_topic_t* const handle = rd_kafka_topic_new(client, topic.c_str(), nullptr);
    const rd_kafka_metadata_t* metadata = nullptr;
    const auto asked = rd_kafka_metadata(client, 0, handle, &metadata, patience_ms);
    const bool known = asked != RD_KAFKA_RESP_ERR_NO_ERROR || metadata->topic_cnt == 0 ||
                       metadata->topics[0].err == RD_KAFKA_RESP_ERR_NO_ERROR;
    if (metadata != nullptr) {
        rd_kafka_metadata_destroy(metadata);
    }
    rd_kafka_topic_destroy(handle);
    return known;
}

}  // namespace

void make_topic(
    const std::string& topic, int partitions, const std::map<std::string, std::string>& settings
) {
    rd_kafka_t* const client = start(RD_KAFKA_CONSUMER, {});
    std::array<char, 256> why{};
    rd_kafka_NewTopic_t* made =
        rd_kafka_NewTopic_new(topic.c_str(), partitions, 1, why.data(), why.size());
    for (const auto& [name, value] : settings) {
        rd_kafka_NewTopic_set_config(made, name.c_str(), value.c_str());
    }
    rd_kafka_queue_t* const answers = rd_kafka_queue_new(client);
    rd_kafka_CreateTopics(client, &made, 1, nullptr, answers);
    expect_done(answers);
    rd_kafka_NewTopic_destroy(made);
    rd_kafka_destroy(client);
}

void delete_topics(const std::vector<std::string>& topics) {
    rd_kafka_t* const client = start(RD_KAFKA_CONSUMER, {});
    std::vector<rd_kafka_DeleteTopic_t*> deleted;
    deleted.reserve(topics.size());
    for (const std::string& topic : topics) {
        deleted.push_back(rd_kafka_DeleteTopic_new(topic.c_str()));
    }
    rd_kafka_queue_t* const answers = rd_kafka_queue_new(client);
    rd_kafka_DeleteTopics(client, deleted.data(), deleted.size(), nullptr, answers);
    expect_done(answers);
    rd_kafka_DeleteTopic_destroy_array(deleted.data(), deleted.size());
    for (const std::string& topic : topics) {
        if (!test_support::eventually([&] { return !knows_topic(client, topic); })) {
            test_support::give_up("topic " + topic + " stays");
        }
    }
    rd_kafka_destroy(client);
}

PlainProducer::PlainProducer() : client_{start(RD_KAFKA_PRODUCER, {})} {}

void PlainProducer::send(
    const std::string& topic,
    const std::string& key,
    const std::string& value,
    const std::map<std::string, std::string>& headers
) {
    rd_kafka_headers_t* const all = rd_kafka_headers_new(headers.size());
    for (const auto& [name, text] : headers) {
        rd_kafka_header_add(all, name.c_str(), -1, text.data(), static_cast<ssize_t>(text.size()));
    }
    const auto sent = rd_kafka_producev(
        client_.get(),
        RD_KAFKA_V_TOPIC(topic.c_str()),
        RD_KAFKA_V_MSGFLAGS(RD_KAFKA_MSG_F_COPY),
        RD_KAFKA_V_KEY(key.empty() ? nullptr : key.data(), key.size()),
        RD_KAFKA_V_VALUE(const_cast<char*>(value.data()), value.size()),  // NOLINT: copied
        RD_KAFKA_V_HEADERS(all),
        RD_KAFKA_V_END
    );
    if (sent != RD_KAFKA_RESP_ERR_NO_ERROR) {
        test_support::give_up(rd_kafka_err2str(sent));
    }
}

void PlainProducer::flush() {
    if (rd_kafka_flush(client_.get(), patience_ms) != RD_KAFKA_RESP_ERR_NO_ERROR) {
        test_support::give_up("records did not reach the brokers");
    }
}

std::vector<PlainRecord> read_all_of(
    const std::string& topic, std::size_t records, std::chrono::milliseconds patience
) {
    rd_kafka_t* const client = start(
        RD_KAFKA_CONSUMER,
        {{"group.id", "a reader of " + topic},
         {"auto.offset.reset", "earliest"},
         {"enable.auto.commit", "false"}}
    );
    rd_kafka_poll_set_consumer(client);
    rd_kafka_topic_partition_list_t* const topics = rd_kafka_topic_partition_list_new(1);
    rd_kafka_topic_partition_list_add(topics, topic.c_str(), RD_KAFKA_PARTITION_UA);
    rd_kafka_subscribe(client, topics);
    rd_kafka_topic_partition_list_destroy(topics);
    std::vector<PlainRecord> read;
    while (read.size() < records) {
        rd_kafka_message_t* const message =
            rd_kafka_consumer_poll(client, static_cast<int>(patience.count()));
        if (message == nullptr) {
            break;
        }
        if (message->err == RD_KAFKA_RESP_ERR_NO_ERROR) {
            read.push_back(record_of(*message));
        }
        rd_kafka_message_destroy(message);
    }
    rd_kafka_consumer_close(client);
    rd_kafka_destroy(client);
    return read;
}

}  // namespace footfall
