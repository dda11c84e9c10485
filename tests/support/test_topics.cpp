#include "test_support/test_topics.h"

#include "journal_kafka/client.h"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <string>
#include <unistd.h>
#include <utility>

namespace footfall::test_support {

TestTopics::TestTopics(std::string brokers)
    : brokers_{std::move(brokers)},
      prefix_{fmt::format(
          "test-{}-{}.", getpid(), std::chrono::steady_clock::now().time_since_epoch().count()
      )} {}

/// What is left over by a failure here goes with the brokers' files.
TestTopics::~TestTopics() {
    using namespace journal_kafka;
    auto configuration = configure({.brokers = brokers_}, {});
    if (!configuration) {
        return;
    }
    const auto client = start_client(RD_KAFKA_PRODUCER, *std::move(configuration));
    if (!client) {
        return;
    }
    std::array<rd_kafka_DeleteTopic_t*, 6> topics{
        rd_kafka_DeleteTopic_new((prefix_ + "deployment").c_str()),
        rd_kafka_DeleteTopic_new((prefix_ + "ingress").c_str()),
        rd_kafka_DeleteTopic_new((prefix_ + "events").c_str()),
        rd_kafka_DeleteTopic_new((prefix_ + "events.dlq").c_str()),
        rd_kafka_DeleteTopic_new((prefix_ + "judged").c_str()),
        rd_kafka_DeleteTopic_new((prefix_ + "judged.json").c_str())
    };
    const Owned<rd_kafka_queue_t> queue{rd_kafka_queue_new(client->get())};
    rd_kafka_DeleteTopics(client->get(), topics.data(), topics.size(), nullptr, queue.get());
    constexpr int patience_ms = 10'000;
    const Owned<rd_kafka_event_t> done{rd_kafka_queue_poll(queue.get(), patience_ms)};
    rd_kafka_DeleteTopic_destroy_array(topics.data(), topics.size());
}

}  // namespace footfall::test_support
