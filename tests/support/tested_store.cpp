#include "test_support/tested_store.h"

#include "test_support/cluster_place.h"
#include "test_support/must.h"
#include "test_support/test_topics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <memory>
#include <string_view>

namespace footfall::test_support {
namespace {

/// The keyspace that stands for a directory. Tests that run at the same time have other ones; those
/// after them have the same, emptied.
const std::string& keyspace_of(const std::string& data) {
    static std::map<std::string, std::string> keyspaces;
    const auto [found, is_new] = keyspaces.try_emplace(data);
    if (is_new) {
        found->second = fmt::format("footfall_test_{}_{}", cluster_place(), keyspaces.size());
        empty_keyspace(found->second);
    }
    return found->second;
}

/// What the names of its topics begin with: others each time, for who deletes topics waits long.
/// They go when the test ends.
std::string topics_of(const std::string& brokers, const std::string& data) {
    static std::map<std::string, std::unique_ptr<TestTopics>> topics;
    std::unique_ptr<TestTopics>& found = topics[data];
    if (!found) {
        found = std::make_unique<TestTopics>(brokers);
    }
    return found->prefix();
}

}  // namespace

std::vector<std::string> store_words(const std::string& data) {
    const char* const named = log_is_kafka() ? "cassandra" : std::getenv("FOOTFALL_TEST_STORE");
    if (named == nullptr) {
        return {"--data", data};
    }
    if (std::string_view{named} != "cassandra") {
        give_up(fmt::format("FOOTFALL_TEST_STORE is \"{}\", not cassandra", named));
    }
    std::vector<std::string> words{
        "--store", "cassandra", "--cassandra-keyspace", keyspace_of(data)
    };
    if (log_is_kafka()) {
        const char* const brokers = std::getenv("FOOTFALL_TEST_KAFKA");
        if (brokers == nullptr) {
            give_up(
                "FOOTFALL_TEST_KAFKA does not say where brokers are: tools/cluster up --nodes 1 "
                "--brokers 1"
            );
        }
        words.insert(
            words.end(),
            {"--log",
             "kafka",
             "--kafka",
             brokers,
             "--kafka-prefix",
             topics_of(brokers, data),
             "--kafka-replicas",
             "1"}
        );
    }
    return words;
}

std::vector<std::string> place_words(const std::string& data) {
    std::vector<std::string> words = store_words(data);
    const auto replicas = std::ranges::find(words, "--kafka-replicas");
    if (replicas != words.end()) {
        words.erase(replicas, replicas + 2);
    }
    return words;
}

bool log_is_kafka() {
    const char* const named = std::getenv("FOOTFALL_TEST_LOG");
    return named != nullptr && std::string_view{named} == "kafka";
}

}  // namespace footfall::test_support
