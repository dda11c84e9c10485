#pragma once

#include <chrono>
#include <cstddef>
#include <librdkafka/rdkafka.h>  // tidy-allow(include): another program's client
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace footfall {

/// A record as any client of Kafka sees it.
struct PlainRecord {
    int partition = 0;
    long offset = 0;
    std::string key;
    std::string value;
    std::map<std::string, std::string> headers;
};

/// Writes to topics as other programs do: librdkafka, as it comes. What goes wrong ends the test.
class PlainProducer {
public:
    PlainProducer();

    void send(
        const std::string& topic,
        const std::string& key,
        const std::string& value,
        const std::map<std::string, std::string>& headers = {}
    );

    /// Waits until the brokers have all.
    void flush();

private:
    struct Destroy {
        void operator()(rd_kafka_t* client) const { rd_kafka_destroy(client); }
    };

    std::unique_ptr<rd_kafka_t, Destroy> client_;
};

/// Makes a topic as a person would, of one copy, with these settings.
void make_topic(
    const std::string& topic, int partitions, const std::map<std::string, std::string>& settings
);

/// Deletes topics, and waits until the brokers know none of them.
void delete_topics(const std::vector<std::string>& topics);

/// Reads a topic from its beginning until there were so many records, or none more came for so
/// long.
std::vector<PlainRecord> read_all_of(
    const std::string& topic,
    std::size_t records,
    std::chrono::milliseconds patience = std::chrono::seconds{20}
);

}  // namespace footfall
